"""One settings file, read from the environment.

Without DATABASE_URL the product runs embedded: SQLite, a worker fed through a folder, 127.0.0.1. With
DATABASE_URL it is served: PostgreSQL, Redis (REDIS_URL), and it refuses to start without a secret key.
"""

from __future__ import annotations

import os
import re
import secrets
from datetime import timedelta
from pathlib import Path
from typing import Any

import dj_database_url
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from django_guid.integrations import CeleryIntegration

from portability.outbound.mail import mail_server
from portability.outbound.rules import Allowed, allowed_hosts, public_url

BASE_DIR = Path(__file__).resolve().parent.parent
SERVED = bool(os.environ.get("DATABASE_URL"))
DATA_DIR = Path(os.environ.get("PORTABILITY_DATA_DIR", BASE_DIR / "var"))
REGISTER = os.environ.get("PORTABILITY_REGISTER", "register")  # which SQLite file: "sample" or one of your own
if not re.fullmatch(r"[a-z0-9][a-z0-9_-]{0,40}", REGISTER):
    raise ImproperlyConfigured("PORTABILITY_REGISTER is a file's name: small letters, digits, - and _, no path")


def _secret_key() -> str:
    """The configured key; embedded, one kept in a file that only its owner reads."""
    if key := os.environ.get("PORTABILITY_SECRET_KEY"):
        return key
    if SERVED:
        raise ImproperlyConfigured("PORTABILITY_SECRET_KEY must be set where DATABASE_URL is set")
    DATA_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = DATA_DIR / "secret-key"
    if not path.exists():
        try:
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                file.write(secrets.token_urlsafe(50))
        except FileExistsError:  # another process was quicker
            pass
    return path.read_text()


SECRET_KEY = _secret_key()
DEBUG = False
LOCAL_HOSTS = ["127.0.0.1", "localhost", "[::1]"]  # always allowed: health checks ask from the machine itself
ALLOWED_HOSTS = [*filter(None, os.environ.get("PORTABILITY_HOSTS", "").split(",")), *LOCAL_HOSTS]
CSRF_TRUSTED_ORIGINS = [*filter(None, os.environ.get("PORTABILITY_ORIGINS", "").split(","))]
HTTPS = os.environ.get("PORTABILITY_HTTPS", "0") == "1"  # behind a proxy that ends TLS and sets X-Forwarded-Proto
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
SESSION_COOKIE_AGE = 7 * 24 * 3600
if HTTPS:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_HSTS_SECONDS = 365 * 24 * 3600
    SECURE_REDIRECT_EXEMPT = [r"^health/"]
if not SERVED:  # two registers on two ports of 127.0.0.1 share a cookie jar
    SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = f"session-{REGISTER}", f"csrf-{REGISTER}"

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.humanize",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "axes",
    "csp",
    "django_htmx",
    "django_filters",
    "django_guid",
    "portability.accounts",
    "portability.workloads",
    "portability.targets",
    "portability.matrices",
    "portability.register",
    "portability.rules",
    "portability.notifications",
    "portability.organisation",
    "portability.reviews",
    "portability.rehearsals",
    "portability.exposure",
    "portability.exports",
    "portability.saved_filters",
    "portability.audit",
    "portability.ops",
    "portability.ui",
    "django.forms",  # after the product's own: its templates of fields are found first
]
FORM_RENDERER = "django.forms.renderers.TemplatesSetting"
MIDDLEWARE = [
    "django_guid.middleware.guid_middleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "portability.errors.RequestSizeMiddleware",
    "portability.organisation.middleware.ZoneMiddleware",
    "portability.accounts.middleware.SignedInMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "portability.errors.NotAllowedMiddleware",
    "axes.middleware.AxesMiddleware",
]
ROOT_URLCONF = "portability.urls"
WSGI_APPLICATION = "portability.wsgi.application"
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
            ],
        },
    }
]


def _database() -> dict[str, Any]:
    """PostgreSQL where configured, else one SQLite file in WAL with immediate transactions and a busy timeout."""
    if SERVED:
        return dict(dj_database_url.config(conn_max_age=60, conn_health_checks=True))
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": DATA_DIR / f"{REGISTER}.sqlite3",
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON;",
        },
    }


DATABASES = {"default": _database()}
AUTH_USER_MODEL = "accounts.Person"
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "accounts:login"
LOGIN_REDIRECT_URL = "exposure:exposure"
LOGOUT_REDIRECT_URL = "accounts:login"
AXES_FAILURE_LIMIT = 8
AXES_COOLOFF_TIME = 0.25  # hours
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_RESET_ON_SUCCESS = True
AXES_LOCKOUT_CALLABLE = "portability.accounts.views.locked"
CSRF_FAILURE_VIEW = "portability.errors.csrf_failure"

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}

LANGUAGE_CODE = "en-gb"
TIME_ZONE = os.environ.get("PORTABILITY_TIME_ZONE", "UTC")
USE_TZ = True
USE_I18N = False
STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = False

# One upload limit, named in the error: all files of a workload together.
UPLOAD_LIMIT_BYTES = 4 * 1024 * 1024
MATERIAL_LIMIT_BYTES = 1024 * 1024  # of application material together
DATA_UPLOAD_MAX_MEMORY_SIZE = UPLOAD_LIMIT_BYTES + MATERIAL_LIMIT_BYTES + 512 * 1024
FILE_UPLOAD_MAX_MEMORY_SIZE = UPLOAD_LIMIT_BYTES
DATA_UPLOAD_MAX_NUMBER_FILES = 100


# After how many days files that were made in the background are deleted.
EXPORT_DAYS = os.environ.get("PORTABILITY_EXPORT_DAYS", "7")
if not re.fullmatch("[1-9][0-9]{0,2}", EXPORT_DAYS):
    raise ImproperlyConfigured(f"PORTABILITY_EXPORT_DAYS is a number of days from 1 to 999, not “{EXPORT_DAYS[:40]}”")


# Outbound connections: none, until an operator names hosts.
def _allowed_hosts(setting: str) -> Allowed:
    try:
        return allowed_hosts(setting, os.environ.get(setting, ""))
    except ValueError as error:
        raise ImproperlyConfigured(str(error)) from None


FETCH_HOSTS = _allowed_hosts("PORTABILITY_FETCH_HOSTS")  # whose pages may be fetched
CHECK_SOURCES = os.environ.get("PORTABILITY_CHECK_SOURCES", "0") == "1"  # look at the sources' pages every day
if CHECK_SOURCES and not FETCH_HOSTS:
    raise ImproperlyConfigured("PORTABILITY_CHECK_SOURCES=1 needs hosts to look at, in PORTABILITY_FETCH_HOSTS")

# Telling of what moved: by e-mail and by webhook, where an operator turned them on.
WEBHOOK_HOSTS = _allowed_hosts("PORTABILITY_WEBHOOK_HOSTS")  # where webhooks may go
try:
    PUBLIC_URL = public_url("PORTABILITY_PUBLIC_URL", os.environ.get("PORTABILITY_PUBLIC_URL", ""))
    _mail = mail_server("PORTABILITY_EMAIL_URL", os.environ.get("PORTABILITY_EMAIL_URL", ""))
except ValueError as error:
    raise ImproperlyConfigured(str(error)) from None
EMAIL_HOST, EMAIL_PORT, EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = _mail.host, _mail.port, _mail.user, _mail.password
EMAIL_USE_TLS, EMAIL_USE_SSL, EMAIL_TIMEOUT = _mail.tls, _mail.ssl, 15
DEFAULT_FROM_EMAIL = os.environ.get("PORTABILITY_EMAIL_FROM", "")
if EMAIL_HOST and not DEFAULT_FROM_EMAIL:
    raise ImproperlyConfigured("PORTABILITY_EMAIL_URL needs a sender, in PORTABILITY_EMAIL_FROM")
if (EMAIL_HOST or WEBHOOK_HOSTS) and not PUBLIC_URL:
    raise ImproperlyConfigured(
        "E-mail and webhooks lead back to the register: give its address, PORTABILITY_PUBLIC_URL"
    )

REDIS_URL = os.environ.get("REDIS_URL", "")
QUEUE_DIR = DATA_DIR / f"queue-{REGISTER}"
if REDIS_URL:
    CELERY_BROKER_URL = REDIS_URL
    CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any] = {
        "visibility_timeout": 3600,
        "socket_timeout": 5,
        "socket_connect_timeout": 1,
        "max_retries": 1,  # a request that would wake a worker fails at once where Redis is away, and goes on
        "interval_start": 0,
        "interval_step": 0,
    }
else:
    for _folder in ("messages", "processed"):
        (QUEUE_DIR / _folder).mkdir(parents=True, exist_ok=True)
    CELERY_BROKER_URL = "filesystem://localhost"
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "data_folder_in": str(QUEUE_DIR / "messages"),
        "data_folder_out": str(QUEUE_DIR / "messages"),
        "control_folder": str(QUEUE_DIR / "control"),
        "processed_folder": str(QUEUE_DIR / "processed"),
        "store_processed": False,
    }
BROKER_AT_ONCE = {  # what a person waits for: connecting and being answered take less than a second, or are given up
    "socket_timeout": 0.4,
    "socket_connect_timeout": 0.4,
    "max_retries": 0,
    "interval_start": 0,
    "interval_step": 0,
}
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_PUBLISH_RETRY = False  # the database knows what is to do; a broker that is away is woken around
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # worker and beat wait for a broker that is away, however long
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULE: dict[str, dict[str, Any]] = {
    "take-over-silent-batches": {"task": "portability.register.tasks.take_over", "schedule": 15.0},
    "take-over-what-is-not-settled": {"task": "portability.reviews.tasks.take_over", "schedule": 15.0},
    "tell-what-moved": {"task": "portability.notifications.tasks.tell", "schedule": 30.0},
    "take-over-silent-exports": {"task": "portability.exports.tasks.take_over", "schedule": 15.0},
    "clean-up-exports": {"task": "portability.exports.tasks.clean_up", "schedule": 1800.0},
}
if CHECK_SOURCES:
    CELERY_BEAT_SCHEDULE["check-sources"] = {
        "task": "portability.matrices.tasks.check_sources",
        "schedule": 1800.0,  # the database knows which of them were not looked at for a day
    }


def _seconds(setting: str, default: int, least: int) -> timedelta:
    """A length of time that an operator may set."""
    given = os.environ.get(setting, "")
    if not given:
        return timedelta(seconds=default)
    if not re.fullmatch(r"[0-9]{1,6}", given) or int(given) < least:
        raise ImproperlyConfigured(f"{setting} is a number of seconds, {least} or more, not “{given[:40]}”")
    return timedelta(seconds=int(given))


# A worker at work says so every few seconds. One that has not for so long is taken for dead, and its batch given on.
SILENT_AFTER = _seconds("PORTABILITY_SILENT_AFTER", default=120, least=5)

DJANGO_GUID = {
    "GUID_HEADER_NAME": "X-Request-Id",
    "VALIDATE_GUID": True,
    "RETURN_HEADER": True,
    "EXPOSE_HEADER": False,
    "INTEGRATIONS": [CeleryIntegration(use_django_logging=True)],  # a task logs under the id of its request
}
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"request_id": {"()": "django_guid.log_filters.CorrelationId"}},
    "formatters": {
        "json": {
            "()": "pythonjsonlogger.json.JsonFormatter",
            "fmt": "%(levelname)s %(name)s %(correlation_id)s %(message)s",
            "rename_fields": {"levelname": "level", "name": "logger", "correlation_id": "request_id"},
            "timestamp": True,
        }
    },
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json", "filters": ["request_id"]}},
    "root": {"handlers": ["stderr"], "level": os.environ.get("PORTABILITY_LOG_LEVEL", "INFO")},
    "loggers": {
        "django_guid": {"level": "WARNING"},
        "axes": {"level": "WARNING"},
        "celpy": {"level": "CRITICAL"},  # it would write whole manifests; what is wrong with a rule is told elsewhere
        "django": {"handlers": [], "propagate": True},  # Django's own handlers would write plain text
        "gunicorn.access": {"propagate": True},
        "gunicorn.error": {"propagate": True},
    },
}
