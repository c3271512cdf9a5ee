"""Landlock with no exception: every right over files, the network and other processes that this kernel can withhold."""

from __future__ import annotations

import ctypes
import errno
import os

from .syscalls import LANDLOCK_CREATE_RULESET, LANDLOCK_RESTRICT_SELF

_ASK_VERSION = 1
_FILE_RIGHTS = {1: 13, 2: 14, 3: 15, 5: 16}
"""How many rights over files there are from a version on."""
_NETWORK_SINCE, _NETWORK_RIGHTS = 4, 2
_SCOPES_SINCE, _SCOPES = 6, 2


class _Ruleset(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scopes", ctypes.c_uint64))


def _failed(step: str) -> OSError:
    number = ctypes.get_errno()
    return OSError(number, f"Landlock, {step}: {errno.errorcode.get(number, number)}")


def version(libc: ctypes.CDLL) -> int:
    """The version that this kernel speaks; raises OSError where there is none or it is switched off."""
    found: int = libc.syscall(LANDLOCK_CREATE_RULESET, None, ctypes.c_size_t(0), _ASK_VERSION)
    if found < 1:
        raise _failed("asking for its version")
    return found


def deny_everything(libc: ctypes.CDLL, speaks: int) -> None:
    """From now on this process can open, change or make no file, and reach no one, for good. Raises OSError."""
    rights = max(count for since, count in _FILE_RIGHTS.items() if since <= speaks)
    wanted, size = _Ruleset((1 << rights) - 1, 0, 0), 8
    if speaks >= _NETWORK_SINCE:
        wanted.network, size = (1 << _NETWORK_RIGHTS) - 1, 16
    if speaks >= _SCOPES_SINCE:
        wanted.scopes, size = (1 << _SCOPES) - 1, 24
    ruleset = libc.syscall(LANDLOCK_CREATE_RULESET, ctypes.byref(wanted), ctypes.c_size_t(size), 0)
    if ruleset < 0:
        raise _failed("making a ruleset")
    try:
        if libc.syscall(LANDLOCK_RESTRICT_SELF, ruleset, 0) != 0:
            raise _failed("entering the ruleset")
    finally:
        os.close(ruleset)
