"""The filter of system calls, written as the classic BPF program that the kernel takes, and put in place through prctl.

A filter of a page needs no library, so nothing has to be found, installed or patched for it inside an empty container.
"""

from __future__ import annotations

import ctypes
import errno
import struct

from .syscalls import Machine

_LOAD_WORD = 0x20
_JUMP_EQUAL = 0x15
_JUMP_AT_LEAST = 0x35
_JUMP_ANY_BIT = 0x45
_RETURN = 0x06

_ALLOW = 0x7FFF0000
_KILL_PROCESS = 0x80000000
_REFUSE = 0x00050000 | errno.EPERM
_UNKNOWN_CALL = 0x00050000 | errno.ENOSYS

# Offsets in struct seccomp_data; both machines keep the lower half of an argument first.
_NUMBER, _ARCH = 0, 4
_X32_BIT = 0x40000000
_PROT_EXEC = 4
_F_GETFD, _F_GETFL = 1, 3

_PR_SET_SECCOMP = 22
_SECCOMP_MODE_FILTER = 2

Instruction = tuple[int, int, int, int]
"""Code, jump if true, jump if false, constant."""


class _Filter(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("program", ctypes.c_char_p))


def _argument(position: int, upper: bool = False) -> Instruction:
    return (_LOAD_WORD, 0, 0, 16 + 8 * position + (4 if upper else 0))


def _when(number: int, then: list[Instruction]) -> list[Instruction]:
    """`then`, each way of which returns, for this system call alone."""
    return [(_JUMP_EQUAL, 0, len(then), number), *then]


def program(machine: Machine) -> list[Instruction]:
    """Everything is refused but what follows; a call of another machine's kind ends the process."""
    allow, refuse = (_RETURN, 0, 0, _ALLOW), (_RETURN, 0, 0, _REFUSE)
    kill = (_RETURN, 0, 0, _KILL_PROCESS)
    lines: list[Instruction] = [
        (_LOAD_WORD, 0, 0, _ARCH),
        (_JUMP_EQUAL, 1, 0, machine.audit_arch),
        kill,
        (_LOAD_WORD, 0, 0, _NUMBER),
    ]
    if machine.has_x32:
        lines += [(_JUMP_AT_LEAST, 0, 1, _X32_BIT), kill]
    for number in machine.plain:
        lines += _when(number, [allow])
    # Memory, but none that holds a program.
    for name in ("mmap", "mprotect"):
        lines += _when(machine.numbers[name], [_argument(2), (_JUMP_ANY_BIT, 0, 1, _PROT_EXEC), refuse, allow])
    # Questions about a descriptor; F_SETOWN would send signals to another process.
    lines += _when(
        machine.numbers["fcntl"],
        [_argument(1), (_JUMP_EQUAL, 2, 0, _F_GETFD), (_JUMP_EQUAL, 1, 0, _F_GETFL), refuse, allow],
    )
    # What the limits are, of this process alone, and never a new one.
    lines += _when(
        machine.numbers["prlimit64"],
        [
            _argument(0),
            (_JUMP_EQUAL, 0, 4, 0),
            _argument(2),
            (_JUMP_EQUAL, 0, 2, 0),
            _argument(2, upper=True),
            (_JUMP_EQUAL, 1, 0, 0),
            refuse,
            allow,
        ],
    )
    # The C library then asks for clone, which is refused like the rest.
    lines += _when(machine.numbers["clone3"], [(_RETURN, 0, 0, _UNKNOWN_CALL)])
    return [*lines, refuse]


def packed(machine: Machine) -> bytes:
    """The program in the kernel's form."""
    return b"".join(struct.pack("=HBBI", *line) for line in program(machine))


def install(libc: ctypes.CDLL, filter_program: bytes) -> None:
    """From now on the filter stands for this process, for good; no_new_privs must be set. Raises OSError."""
    wanted = _Filter(len(filter_program) // 8, filter_program)
    if libc.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.addressof(wanted), 0, 0) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"seccomp: {errno.errorcode.get(number, number)}")
