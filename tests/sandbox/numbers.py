"""Numbers of system calls that attacks make, by machine: (x86_64, aarch64); None where the machine has no such call."""

from __future__ import annotations

import os

CALLS: dict[str, tuple[int | None, int | None]] = {
    "accept4": (288, 242), "acct": (163, 89), "add_key": (248, 217), "adjtimex": (159, 171),
    "arch_prctl": (158, None), "bind": (49, 200), "bpf": (321, 280), "capset": (126, 91), "chdir": (80, 49),
    "chroot": (161, 51), "clock_settime": (227, 112), "clone": (56, 220), "clone3": (435, 435), "connect": (42, 203),
    "copy_file_range": (326, 285), "delete_module": (176, 106), "dup3": (292, 24), "epoll_create1": (291, 20),
    "eventfd2": (290, 19), "execve": (59, 221), "execveat": (322, 281), "faccessat": (269, 48),
    "fallocate": (285, 47), "fanotify_init": (300, 262), "fchmod": (91, 52), "fchown": (93, 55),
    "finit_module": (313, 273), "fsopen": (430, 430), "ftruncate": (77, 46), "getdents64": (217, 61),
    "init_module": (175, 105), "inotify_init1": (294, 26), "io_setup": (206, 0), "io_uring_setup": (425, 425),
    "ioctl": (16, 29), "iopl": (172, None), "ioprio_set": (251, 30), "kcmp": (312, 272), "kexec_load": (246, 104),
    "keyctl": (250, 219), "kill": (62, 129), "landlock_create_ruleset": (444, 444), "linkat": (265, 37),
    "listen": (50, 201), "mbind": (237, 235), "memfd_create": (319, 279), "memfd_secret": (447, 447),
    "mkdirat": (258, 34), "mknodat": (259, 33), "mlock": (149, 228), "modify_ldt": (154, None), "mount": (165, 40),
    "mount_setattr": (442, 442), "move_mount": (429, 429), "mq_open": (240, 180), "msgget": (68, 186),
    "name_to_handle_at": (303, 264), "newfstatat": (262, 79), "open": (2, None), "open_by_handle_at": (304, 265),
    "open_tree": (428, 428), "openat": (257, 56), "openat2": (437, 437), "perf_event_open": (298, 241),
    "personality": (135, 92), "pidfd_getfd": (438, 438), "pidfd_open": (434, 434),
    "pidfd_send_signal": (424, 424), "pipe2": (293, 59), "pivot_root": (155, 41), "pkey_mprotect": (329, 288),
    "prctl": (157, 167), "prlimit64": (302, 261), "process_madvise": (440, 440), "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271), "ptrace": (101, 117), "readlinkat": (267, 78), "reboot": (169, 142),
    "remap_file_pages": (216, 234), "renameat2": (316, 276), "request_key": (249, 218),
    "rt_sigqueueinfo": (129, 138), "rt_tgsigqueueinfo": (297, 240), "sched_setaffinity": (203, 122),
    "sched_setscheduler": (144, 119), "seccomp": (317, 277), "semget": (64, 190), "sendmsg": (46, 211),
    "sendto": (44, 206), "setgid": (106, 144), "setgroups": (116, 159), "sethostname": (170, 161),
    "setns": (308, 268), "setpgid": (109, 154), "setpriority": (141, 140), "setresuid": (117, 147), "setsid": (112, 157),
    "settimeofday": (164, 170), "setuid": (105, 146), "setxattr": (188, 5), "shmget": (29, 194),
    "signalfd4": (289, 74), "socket": (41, 198), "socketpair": (53, 199), "splice": (275, 76), "statx": (332, 291),
    "swapon": (167, 224), "symlinkat": (266, 36), "syslog": (103, 116), "tgkill": (234, 131), "tkill": (200, 130),
    "timer_create": (222, 107), "timerfd_create": (283, 85), "truncate": (76, 45), "umount2": (166, 39),
    "unlinkat": (263, 35), "unshare": (272, 97), "userfaultfd": (323, 282), "vfork": (58, None), "vmsplice": (278, 75),
    "wait4": (61, 260),
}  # fmt: skip

MACHINE = os.uname().machine


def here() -> dict[str, int]:
    """Name → number on this machine."""
    column = {"x86_64": 0, "aarch64": 1}[MACHINE]
    return {name: number for name, both in CALLS.items() if (number := both[column]) is not None}
