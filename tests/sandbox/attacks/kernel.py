"""Attempts on the kernel: namespaces, limits, programs in memory."""

from __future__ import annotations

from .attack import Attack, calls_refused

KERNEL = [
    calls_refused(
        "namespaces",
        "unshare(0x10000000)",
        "unshare(0x00020000)",
        "unshare(0x40000000)",
        "setns(1, 0)",
        'sethostname(b"x", 1)',
    ),
    calls_refused(
        "mounts",
        'mount(b"none", b"/tmp", b"tmpfs", 0, 0)',
        'umount2(b"/proc", 0)',
        'pivot_root(b"/", b"/")',
        'chroot(b"/")',
        'fsopen(b"tmpfs", 0)',
        'open_tree(-100, b"/", 1)',
        'move_mount(-100, b"/", -100, b"/tmp", 0)',
        'mount_setattr(-100, b"/", 0, bytes(32), 32)',
    ),
    calls_refused(
        "keys", "keyctl(0, -3, 0)", 'add_key(b"user", b"x", b"y", 1, -3)', 'request_key(b"user", b"x", 0, -3)'
    ),
    calls_refused("programs in the kernel", "bpf(0, bytes(64), 64)", "perf_event_open(bytes(128), 0, -1, -1, 0)"),
    calls_refused("rings of requests", "io_uring_setup(8, bytes(120))", "io_setup(8, bytes(8))"),
    calls_refused("faults handled in user space", "userfaultfd(1)", "memfd_secret(0)"),
    calls_refused(
        "take the walls down",
        "prctl(4, 1, 0, 0, 0)",
        "prctl(1, 0, 0, 0, 0)",
        "prctl(22, 1, 0, 0, 0)",
        "prctl(38, 0, 0, 0, 0)",
        "prctl(47, 1, 0, 0, 0)",
        "seccomp(0, 0, 0)",
        "seccomp(1, 0, bytes(16))",
        "landlock_create_ruleset(0, 0, 1)",
        "personality(0xffffffff)",
    ),
    calls_refused(
        "raise the limits",
        "prlimit64(0, 9, bytes(16), 0)",
        "prlimit64(os.getppid(), 9, 0, bytes(16))",
        "setpriority(0, 0, -5)",
        "sched_setaffinity(0, 8, bytes(8))",
        "sched_setscheduler(0, 1, bytes(4))",
        "ioprio_set(1, 0, 0)",
    ),
    Attack(
        "raise the limits in Python",
        "import resource\nfor each in (resource.RLIMIT_AS, resource.RLIMIT_NPROC, resource.RLIMIT_FSIZE):\n"
        "    says(lambda: resource.setrlimit(each, (-1, -1)))",
        "ValueError\nValueError\nValueError",
    ),
    Attack(
        "become root",
        "for each in (os.setuid, os.setgid, os.seteuid): says(lambda: each(0))\nsays(lambda: os.setgroups([0]))\n"
        "call('capset', bytes(8), bytes(24)); call('setresuid', 0, 0, 0)\nprint(os.getuid() == 0)",
        "PermissionError EPERM\n" * 4 + "capset EPERM\nsetresuid EPERM\nFalse",
    ),
    calls_refused(
        "the clock",
        "clock_settime(0, bytes(16))",
        "settimeofday(bytes(16), 0)",
        "adjtimex(bytes(256))",
        "timer_create(0, 0, bytes(8))",
    ),
    calls_refused(
        "the machine itself",
        "reboot(0, 0, 0, 0)",
        "kexec_load(0, 0, 0, 0)",
        "init_module(0, 0, 0)",
        "finit_module(1, 0, 0)",
        "delete_module(0, 0)",
        'swapon(b"/x", 0)',
        "acct(0)",
        "syslog(3, bytes(64), 64)",
    ),
    calls_refused(
        "memory shared between processes",
        "shmget(0, 4096, 0o1777)",
        "msgget(0, 0o1777)",
        "semget(0, 1, 0o1777)",
        'mq_open(b"x", 0o102, 0o777, 0)',
    ),
    calls_refused(
        "new descriptors of other kinds",
        "pipe2(bytes(8), 0)",
        "eventfd2(0, 0)",
        "epoll_create1(0)",
        "timerfd_create(0, 0)",
        "signalfd4(-1, bytes(8), 8, 0)",
        "inotify_init1(0)",
        "fanotify_init(0, 0)",
        "dup3(1, 9, 0)",
    ),
    calls_refused(
        "pipes used as more",
        "splice(0, 0, 1, 0, 1, 0)",
        "vmsplice(1, bytes(16), 1, 0)",
        "copy_file_range(0, 0, 1, 0, 1, 0)",
    ),
]

MAP = "libc.mmap.restype = ctypes.c_void_p\nlibc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t] + [ctypes.c_int] * 3 + [ctypes.c_long]\n"
NATIVE = [
    Attack(
        "make memory that holds a program",
        MAP + "for protection in (7, 5, 4):\n    ctypes.set_errno(0)\n"
        "    print(libc.mmap(None, 4096, protection, 0x22, -1, 0) == 2**64 - 1, name_of(ctypes.get_errno()))",
        "True EPERM\n" * 2 + "True EPERM",
    ),
    Attack(
        "turn data into a program",
        MAP + "page = libc.mmap(None, 4096, 3, 0x22, -1, 0)\nctypes.set_errno(0)\n"
        "libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]\n"
        "print(libc.mprotect(page, 4096, 5), name_of(ctypes.get_errno())); call('pkey_mprotect', page, 4096, 7, 0)",
        "-1 EPERM\npkey_mprotect EPERM",
    ),
    Attack("read at no address", "ctypes.string_at(0)", killed=("crash: SIGSEGV",)),
    Attack("write over its own program", "ctypes.memset(ctypes.cast(libc.getpid, ctypes.c_void_p), 0xcc, 16)", killed=("crash: SIGSEGV",)),
    Attack("load a library", 'says(lambda: ctypes.CDLL("libanl.so.1"))\nsays(lambda: ctypes.CDLL("libthread_db.so.1"))',
           "OSError None\nOSError None"),
]  # fmt: skip
