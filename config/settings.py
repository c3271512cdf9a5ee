"""The one settings file, read from the environment; every variable is listed in ``docs/settings.md``."""

from __future__ import annotations

import hashlib
import tempfile
from pathlib import Path
from typing import Any

import dj_database_url
from django.utils.csp import CSP
from django.utils.translation import gettext_lazy as _

from config.env import Environment

BASE_DIR = Path(__file__).resolve().parent.parent
env = Environment()

DATA_DIR = Path(
    env.text("WENSHU_DATA_DIR", str(BASE_DIR / "var"), meaning="folder for the embedded database and media")
)
DEBUG = env.flag("WENSHU_DEBUG", False, meaning="Django's debug pages; never in production")
PRODUCTION = env.flag("WENSHU_PRODUCTION", False, meaning="secure cookies, HTTPS redirect, HSTS; needs a secret key")


def _secret_key() -> str:
    """The given key, or (outside production) one made once and kept in the data folder."""
    given = env.text("WENSHU_SECRET_KEY", "", meaning="Django's secret key; required in production")
    if given or PRODUCTION:
        return given
    # A key of its own for each checkout: sessions survive a restart and nothing secret is in the repository.
    path = DATA_DIR / "secret_key"
    if path.exists() and path.read_text().strip():
        return path.read_text().strip()
    import secrets

    DATA_DIR.mkdir(parents=True, exist_ok=True)
    fresh = secrets.token_urlsafe(50)
    try:
        with path.open("x") as file:
            path.chmod(0o600)
            file.write(fresh)
    except FileExistsError:
        return path.read_text().strip() or fresh
    return fresh


SECRET_KEY = _secret_key()
ALLOWED_HOSTS = env.names("WENSHU_ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]", meaning="host names served, with commas")
CSRF_TRUSTED_ORIGINS = env.names("WENSHU_TRUSTED_ORIGINS", "", meaning="origins such as https://marks.example.org")

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "guardian",
    "django_htmx",
    "config.foundation",
    "itembank",
    "grading",
    "review",
    "config",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.csp.ContentSecurityPolicyMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "config.middleware.PossibleTextMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "config.middleware.BodySizeMiddleware",
    "config.sign_in.SignInMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "config.middleware.CorrelationMiddleware",
    "config.middleware.RefusalMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "django.template.context_processors.csp",
                "config.navigation.navigation",
            ],
        },
    }
]

SQLITE_PRAGMAS = (
    "PRAGMA journal_mode=WAL;PRAGMA synchronous=NORMAL;PRAGMA foreign_keys=ON;PRAGMA recursive_triggers=ON;"
    "PRAGMA journal_size_limit=27103364;PRAGMA cache_size=2000;"
)
DATABASE_URL = env.text("DATABASE_URL", "", meaning="postgresql://…; empty means the embedded SQLite")


def _database() -> dict[str, Any]:
    if DATABASE_URL:
        found: dict[str, Any] = dict(dj_database_url.parse(DATABASE_URL, conn_max_age=60, conn_health_checks=True))
        return found
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": DATA_DIR / "wenshu.sqlite3",
        "OPTIONS": {"transaction_mode": "IMMEDIATE", "timeout": 20, "init_command": SQLITE_PRAGMAS},
        # Opening the file and reading its schema costs a request more than most of its queries do.
        "CONN_MAX_AGE": 60,
        # A file even under test: the memory database has other locking rules than the one that is shipped.
        "TEST": {"NAME": DATA_DIR / "test.sqlite3"},
    }


DATABASES = {"default": _database()}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTHENTICATION_BACKENDS = ["django.contrib.auth.backends.ModelBackend", "guardian.backends.ObjectPermissionBackend"]
ANONYMOUS_USER_NAME = None
GUARDIAN_RAISE_403 = False
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "login"
SESSION_COOKIE_AGE = 12 * 3600

LANGUAGE_CODE = "zh-hans"
LANGUAGES = [("zh-hans", "中文"), ("en", "English")]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = USE_TZ = True
TIME_ZONE = env.text("WENSHU_TIME_ZONE", "Asia/Shanghai", meaning="the school's time zone, for display only")

STATIC_URL = "static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
MEDIA_ROOT = Path(
    env.text("WENSHU_MEDIA_DIR", str(DATA_DIR / "media"), meaning="folder of the content-addressed images")
)
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage", "OPTIONS": {"location": MEDIA_ROOT}},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}

SECURE_CSP = {
    "default-src": [CSP.SELF],
    "img-src": [CSP.SELF, "data:", "blob:"],
    "style-src": [CSP.SELF],
    # KaTeX sets inline style attributes on the spans it makes; scripts stay strict.
    "style-src-attr": [CSP.UNSAFE_INLINE],
    "font-src": [CSP.SELF],
    "object-src": [CSP.NONE],
    "base-uri": [CSP.SELF],
    "frame-ancestors": [CSP.NONE],
    "form-action": [CSP.SELF],
}
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = PRODUCTION
SECURE_REDIRECT_EXEMPT = [r"^healthz/"]
SECURE_HSTS_SECONDS = 31_536_000 if PRODUCTION else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = PRODUCTION
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if PRODUCTION else None
X_FRAME_OPTIONS = "DENY"
DATA_UPLOAD_MAX_NUMBER_FILES = env.whole("WENSHU_UPLOAD_FILES", 300, meaning="most files in one upload", least=1)

# Intake bounds (engineering notes, section 6)
UPLOAD_MAX_BYTES = env.whole(
    "WENSHU_UPLOAD_BYTES", 20 * 1024 * 1024, meaning="largest image file, in bytes", least=1024
)
UPLOAD_MAX_TOTAL_BYTES = env.whole(
    "WENSHU_UPLOAD_TOTAL_BYTES", 2 * 1024**3, meaning="largest request with files, in bytes", least=1024**2, most=2**40
)
UPLOAD_MAX_PIXELS = env.whole("WENSHU_UPLOAD_PIXELS", 40_000_000, meaning="largest image, in pixels", least=10_000)

# The broker only wakes workers; the truth about a job is its row.
# A socket's path may have about 107 characters; a deep checkout gets a folder named after its hash.
_SHORT = Path(tempfile.gettempdir()) / hashlib.sha256(str(DATA_DIR).encode()).hexdigest()[:16]
SOCKET_DIR = DATA_DIR if len(str(DATA_DIR)) < 80 else _SHORT
BROKER_URL = env.text(
    "WENSHU_BROKER_URL",
    f"redis+socket://{SOCKET_DIR / 'broker.sock'}",
    meaning="redis://… or redis+socket://…; by default the embedded broker's socket",
)
CELERY_BROKER_URL = BROKER_URL
CELERY_TASK_ACKS_LATE = CELERY_TASK_REJECT_ON_WORKER_LOST = CELERY_TASK_IGNORE_RESULT = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_DEFAULT_QUEUE = "cpu"
CELERY_TASK_ROUTES = {"grading.tasks.call_model": {"queue": "model"}}
CELERY_TASK_TIME_LIMIT = 600
CELERY_WORKER_SOFT_SHUTDOWN_TIMEOUT = 5
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TIMEZONE = "UTC"
CELERY_BROKER_TRANSPORT_OPTIONS = {
    # Longer than the longest task; the lease in the row, not this, decides who works.
    "visibility_timeout": 1800,
    # A broker that is away must not hold up a page: the sweep publishes again.
    "max_retries": 0,
    "unacked_restore_interval": 10,
    "unacked_restore_throttle": 1,
    "global_keyprefix": env.text("WENSHU_BROKER_PREFIX", "wenshu:", meaning="prefix of all keys in the broker"),
}
CELERY_BEAT_SCHEDULE = {
    "sweep": {"task": "config.foundation.tasks.sweep", "schedule": 15.0},
    "end-stuck-cases": {"task": "grading.tasks.end_stuck_cases", "schedule": 20.0},
    "anchor-trail": {"task": "config.foundation.tasks.anchor_trail", "schedule": 3600.0},
    "erase-drafts": {"task": "review.tasks.erase_drafts", "schedule": 6 * 3600.0},
    "erase-raw-replies": {"task": "config.foundation.tasks.erase_raw_replies", "schedule": 6 * 3600.0},
}
CELERY_BEAT_SCHEDULE_FILENAME = str(DATA_DIR / "beat-schedule")
JOB_LEASE_SECONDS = env.whole("WENSHU_JOB_LEASE_SECONDS", 300, meaning="how long a worker may hold a job", least=5)
MODEL_LEASE_SECONDS = env.whole(
    "WENSHU_MODEL_LEASE_SECONDS", 900, meaning="how long a worker may hold a job that waits for a model", least=5
)
JOB_MAX_ATTEMPTS = env.whole("WENSHU_JOB_MAX_ATTEMPTS", 3, meaning="tries before a job is shown to a person", least=1)

# Judges
DEFAULT_JUDGE = env.choice(
    "WENSHU_JUDGE", "embedded", ("embedded", "openai", "replay"), meaning="judge of a new assessment"
)
MODEL_BASE_URL = env.text("WENSHU_MODEL_BASE_URL", "", meaning="address of an OpenAI-compatible service, ending in /v1")
MODEL_API_KEY = env.text("WENSHU_MODEL_API_KEY", "", meaning="its key (or WENSHU_MODEL_API_KEY_FILE)")
MODEL_NAME = env.text("WENSHU_MODEL_NAME", "", meaning="name of the vision model")
MODEL_TIMEOUT_SECONDS = env.whole("WENSHU_MODEL_TIMEOUT_SECONDS", 60, meaning="longest wait for one reply", least=1)
MODEL_MAX_RETRIES = env.whole("WENSHU_MODEL_MAX_RETRIES", 2, meaning="repeats after 429, 5xx or a broken line", most=10)
SANDBOX_SOCKET = env.text(
    "WENSHU_SANDBOX_SOCKET", "", meaning="socket of a sandbox service; empty means that each process starts its own"
)
RAW_REPLY_DAYS = env.whole(
    "WENSHU_RAW_REPLY_DAYS", 90, meaning="days after which the raw replies of models are erased", least=1, most=3650
)
DRAFT_DAYS = env.whole(
    "WENSHU_DRAFT_DAYS", 30, meaning="days after which unfinished marks that nobody went on with are removed", least=1,
    most=3650,
)  # fmt: skip
MODEL_STRUCTURED = env.choice(
    "WENSHU_MODEL_STRUCTURED", "json_schema", ("json_schema", "json_object", "none"),
    meaning="how the service is asked for JSON; strict reading follows in every case",
)  # fmt: skip
MODEL_PRICE_INPUT = env.decimal("WENSHU_MODEL_PRICE_INPUT", "0", meaning="price of a million tokens in")
MODEL_PRICE_OUTPUT = env.decimal("WENSHU_MODEL_PRICE_OUTPUT", "0", meaning="price of a million tokens out")
MODEL_BUDGET = env.decimal("WENSHU_MODEL_BUDGET", "0", meaning="most that one assessment may cost; 0 means no limit")

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"correlation": {"()": "config.middleware.CorrelationFilter"}},
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s [%(correlation)s] %(message)s"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["correlation"]}},
    "root": {
        "handlers": ["stderr"],
        "level": env.text("WENSHU_LOG_LEVEL", "INFO", meaning="least level that is logged"),
    },
}

SITE_NAME = _("Wenshu")
