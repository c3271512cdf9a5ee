"""Attempts to read what is not the job's: files, secrets, descriptors."""

from __future__ import annotations

from .attack import Attack, calls_refused, refused

FILES = [
    refused("read /etc/passwd", 'says(lambda: open("/etc/passwd").read())'),
    refused("read a file that everybody may read", "says(lambda: open(SECRET_FILE).read())"),
    refused("read the settings of the product", 'says(lambda: open(PROJECT + "/config/settings.py").read())'),
    refused("read its own environment in /proc", 'says(lambda: open("/proc/self/environ").read())'),
    refused(
        "read the first process in /proc",
        'for each in ("environ", "cmdline", "maps"): says(lambda: open("/proc/1/" + each).read())',
        3,
    ),
    refused(
        "read the memory of parents in /proc",
        'for pid in [os.getppid(), *PARENT_PIDS]: says(lambda: open(f"/proc/{pid}/mem", "rb").read(1))',
        3,
    ),
    refused("read its own memory map", 'says(lambda: open("/proc/self/maps").read())'),
    refused("list folders", 'for each in ("/", "/home", "/root", "/proc", "."): says(lambda: os.listdir(each))', 5),
    refused("ask whether a file exists", "says(lambda: os.stat(SECRET_FILE)); says(lambda: os.stat('/etc/shadow'))", 2),
    refused(
        "follow a link", 'says(lambda: os.readlink("/proc/self/exe")); says(lambda: os.readlink("/proc/self/cwd"))', 2
    ),
    calls_refused(
        "open files by system calls",
        'openat(-100, b"/etc/passwd", 0)',
        'openat2(-100, b"/etc/passwd", bytes(24), 24)',
        'name_to_handle_at(-100, b"/etc/passwd", bytes(128), bytes(8), 0)',
        "open_by_handle_at(-100, bytes(128), 0)",
        'statx(-100, b"/etc/passwd", 0, 0xfff, bytes(256))',
        'newfstatat(-100, b"/etc/passwd", bytes(256), 0)',
        'faccessat(-100, b"/etc/passwd", 0)',
        'readlinkat(-100, b"/proc/self/exe", bytes(64), 64)',
        "getdents64(0, bytes(256), 256)",
    ),
    refused(
        "write a file", 'for each in ("/tmp/escaped", "escaped", "/dev/shm/escaped"): says(lambda: open(each, "w"))', 3
    ),
    refused("write over a file", 'says(lambda: open(SECRET_FILE, "a")); says(lambda: os.truncate(SECRET_FILE, 0))', 2),
    calls_refused(
        "change files and folders",
        'mkdirat(-100, b"/tmp/escaped", 0o777)',
        'mknodat(-100, b"/tmp/escaped", 0o10777, 0)',
        "unlinkat(-100, SECRET_FILE.encode(), 0)",
        'renameat2(-100, SECRET_FILE.encode(), -100, b"/tmp/escaped", 0)',
        'linkat(-100, SECRET_FILE.encode(), -100, b"/tmp/escaped", 0)',
        'symlinkat(b"/etc/passwd", -100, b"/tmp/escaped")',
        "fchmod(1, 0o777)",
        "fchown(1, 0, 0)",
        'setxattr(SECRET_FILE.encode(), b"user.x", b"1", 1, 0)',
        'chdir(b"/")',
        "truncate(SECRET_FILE.encode(), 0)",
    ),
    Attack(
        "import a module from a file",
        "sys.path[:] = [PROJECT, os.path.dirname(SECRET_FILE)]\n"
        "for each in ('config.settings', 'django', 'planted'): says(lambda: __import__(each))",
        "ModuleNotFoundError\n" * 2 + "ModuleNotFoundError",
    ),
]

SECRETS = [
    Attack("read the environment", "print(sorted(os.environ))", "[]"),
    Attack(
        "read the environment in memory",
        """
start, found = ctypes.POINTER(ctypes.c_char_p).in_dll(libc, "environ"), []
while start and start[len(found)]: found.append(start[len(found)])
print(found)
""",
        "[]",
    ),
    Attack(
        "search the objects of the zygote for a secret",
        """
import gc
word = "plan" + "ted-"
print([each for each in gc.get_objects() if isinstance(each, (str, bytes)) and word in str(each)])
print([each for held in gc.get_objects() if isinstance(held, dict) for each in list(held.values())
       if isinstance(each, str) and each.startswith(word) and each != word])
""",
        "[]\n[]",
    ),
    Attack(
        "use inherited descriptors",
        """
open_ones = []
for each in range(4096):
    try: os.get_inheritable(each)
    except OSError: continue
    open_ones.append(each)
print(open_ones)
""",
        "[0, 1, 2]",
    ),
    Attack("read standard input", "print(repr(sys.stdin.read()), os.read(0, 10))", "'' b''"),
    Attack(
        "read back its own output",
        "says(lambda: os.read(1, 10)); says(lambda: os.read(2, 10))",
        "OSError EBADF\nOSError EBADF",
    ),
    Attack(
        "find the code of the job before",
        """
import gc
word = "earlier " + "job's words"
print([1 for each in gc.get_objects() if isinstance(each, (str, bytes)) and word in str(each)])
""",
        "[]",
    ),
]
