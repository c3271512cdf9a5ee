"""Attempts to reach others: sockets, processes, signals."""

from __future__ import annotations

from .attack import Attack, calls_refused, refused

_FAMILIES = {
    "the internet": "socket.AF_INET, socket.SOCK_STREAM",
    "the internet by datagrams": "socket.AF_INET, socket.SOCK_DGRAM",
    "the internet by raw packets": "socket.AF_INET, socket.SOCK_RAW, 1",
    "the internet, version 6": "socket.AF_INET6, socket.SOCK_STREAM",
    "this machine": "socket.AF_UNIX, socket.SOCK_STREAM",
    "the kernel by netlink": "16, socket.SOCK_RAW, 0",
    "the wire by packets": "17, socket.SOCK_RAW, 768",
    "the host by vsock": "40, socket.SOCK_STREAM",
    "the kernel's cryptography": "38, 5, 0",
    "bluetooth": "31, socket.SOCK_RAW, 1",
    "the bus of controllers": "29, socket.SOCK_RAW, 1",
    "express data paths": "44, socket.SOCK_RAW, 0",
}
SOCKETS = [
    *(
        refused(f"socket to {name}", f"import socket\nsays(lambda: socket.socket({arguments}))")
        for name, arguments in _FAMILIES.items()
    ),
    refused("a pair of sockets", "import socket\nsays(lambda: socket.socketpair())"),
    Attack(
        "ask for the address of a name",
        'import socket\ntry: print(socket.getaddrinfo(b"example.org", 80))\n'
        "except OSError as error: print(type(error).__name__)",
        "gaierror",
    ),
    calls_refused(
        "use sockets by system calls",
        "socket(2, 1, 0)",
        "socketpair(1, 1, 0, bytes(8))",
        "connect(0, bytes(16), 16)",
        "bind(0, bytes(16), 16)",
        "listen(0, 1)",
        "accept4(0, 0, 0, 0)",
        "sendto(1, b'x', 1, 0)",
        "sendmsg(1, bytes(56), 0)",
    ),
]

PROCESSES = [
    refused("fork", "says(os.fork)"),
    Attack(
        "a bomb of forks",
        "made = 0\nfor each in range(2000):\n    try: made += os.fork() > 0\n    except OSError: pass\nprint(made)",
        "0",
    ),
    Attack("a thread", "import threading\nsays(threading.Thread(target=print).start)", "RuntimeError"),
    Attack("clone by system calls", 'call("clone", 17); call("clone3", bytes(88), 88)', "clone EPERM\nclone3 ENOSYS"),
    Attack(
        "run a program",
        'import subprocess\nsays(lambda: subprocess.run(["/bin/id"]))\nsays(lambda: subprocess.run("id", shell=True))\n'
        'says(lambda: os.execv("/bin/sh", ["sh"]))\nsays(lambda: os.posix_spawn("/bin/id", ["id"], {}))',
        "PermissionError EPERM\n" * 3 + "PermissionError EPERM",
    ),
    Attack(
        "run a program by the C library", 'print(libc.system(b"id > /tmp/escaped"), os.system("id"))', "32512 32512"
    ),
    Attack(
        "a program from memory",
        "says(lambda: os.memfd_create('x'))\ncall('memfd_create', b'x', 0)\n"
        "call('execveat', 1, b'', 0, 0, 0x1000)\ncall('execve', b'/proc/self/fd/1', 0, 0)",
        "PermissionError EPERM\nmemfd_create EPERM\nexecveat EPERM\nexecve EPERM",
    ),
    calls_refused(
        "wait for others", "wait4(-1, 0, 0, 0)", "pidfd_open(PARENT_PIDS[0], 0)", "setsid()", "setpgid(0, 0)"
    ),
]

SIGNALS = [
    refused("kill the parent", "says(lambda: os.kill(os.getppid(), 9))"),
    refused(
        "signal everything",
        "for each in (-1, 0, 1, *PARENT_PIDS): says(lambda: os.kill(each, 0))\nsays(lambda: os.killpg(0, 0))",
        6,
    ),
    calls_refused(
        "signal by system calls",
        "kill(os.getppid(), 9)",
        "tkill(os.getppid(), 9)",
        "tgkill(os.getppid(), os.getppid(), 9)",
        "rt_sigqueueinfo(os.getppid(), 9, bytes(128))",
        "rt_tgsigqueueinfo(os.getppid(), os.getppid(), 9, bytes(128))",
        "pidfd_send_signal(1, 9, 0, 0)",
    ),
    Attack(
        "have a pipe signal the parent",
        "libc.fcntl.restype = ctypes.c_int\n"
        "for what, value in ((8, os.getppid()), (4, 0o20000), (10, 9), (15, 1), (0, 0), (1031, 1 << 20)):\n"
        "    ctypes.set_errno(0); got = libc.fcntl(1, what, value); print(got, name_of(ctypes.get_errno()))",
        "\n".join(["-1 EPERM"] * 6),
    ),
    calls_refused(
        "trace and read the parent",
        "ptrace(16, os.getppid(), 0, 0)",
        "ptrace(0, 0, 0, 0)",
        "process_vm_readv(os.getppid(), bytes(16), 1, bytes(16), 1, 0)",
        "process_vm_writev(os.getppid(), bytes(16), 1, bytes(16), 1, 0)",
        "process_madvise(1, bytes(16), 1, 4, 0)",
        "pidfd_getfd(1, 0, 0)",
        "kcmp(os.getpid(), os.getppid(), 0, 0, 0)",
    ),
    calls_refused(
        "speak to the terminal and the devices",
        "ioctl(0, 0x5412, b'x')",
        "ioctl(1, 0x5401, bytes(64))",
        "ioctl(1, 0x5421, bytes(8))",
        "ioctl(1, 0x8901, bytes(8))",
    ),
]
