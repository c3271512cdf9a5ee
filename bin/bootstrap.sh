# Sourced by the other scripts, from the project's root: finds or fetches uv and brings the locked environment in place.
# Usage: bootstrap [uv sync options]; afterwards $PYTHON is the interpreter of the environment.

UV_VERSION=0.13.9

find_uv() {
    if command -v uv >/dev/null 2>&1; then
        UV=uv
        return
    fi
    UV=.tools/bin/uv
    [ -x "$UV" ] && return
    for candidate in python3 python /usr/bin/python3; do
        # A version manager's shim may exist and still not answer, so a venv that cannot be made is no error yet.
        if command -v "$candidate" >/dev/null 2>&1 && "$candidate" -m venv .tools >/dev/null 2>&1; then
            break
        fi
        rm -rf .tools
    done
    if [ ! -x .tools/bin/pip ]; then
        echo "需要 uv，或带 venv 模块的 Python 3。 Wenshu needs uv, or Python 3 with its venv module (Debian: apt install python3-venv)." >&2
        exit 2
    fi
    echo "正在取得 uv … fetching uv $UV_VERSION" >&2
    .tools/bin/pip install -q --disable-pip-version-check "uv==$UV_VERSION"
}

bootstrap() {
    # Another project's environment must not leak into this one.
    unset VIRTUAL_ENV PYTHONHOME PYENV_VERSION
    find_uv
    ENVIRONMENT=${UV_PROJECT_ENVIRONMENT:-.venv}
    PYTHON=$ENVIRONMENT/bin/python
    if [ -x "$PYTHON" ]; then
        "$UV" sync --locked --quiet "$@"
    else
        echo "正在安装锁定的依赖 … installing the locked packages" >&2
        # Compiled once: SymPy starts in a second instead of five, for every process that must not write beside it.
        "$UV" sync --locked --quiet --compile-bytecode "$@"
    fi
}
