"""How gunicorn serves the product, embedded and served alike. WEB_CONCURRENCY sets the number of processes."""

from __future__ import annotations

import os
from datetime import timedelta
from typing import Any

from django_guid import clear_guid, set_guid
from gunicorn.glogging import Logger

from portability.settings import LOGGING


class JsonLogger(Logger):  # type: ignore[misc]
    """One JSON line a request, under the request id that the answer's X-Request-Id header tells."""

    def access(self, resp: Any, req: Any, environ: dict[str, Any], request_time: timedelta) -> None:
        """Log a request that was answered. No query string: a search may hold what is nobody's business."""
        set_guid(next((value for name, value in resp.headers if name.lower() == "x-request-id"), ""))
        self.access_log.info(
            "%s %s %s",
            environ.get("REQUEST_METHOD"),
            environ.get("PATH_INFO"),
            resp.status_code,
            extra={
                "status": resp.status_code,
                "bytes": getattr(resp, "sent", None),
                "milliseconds": round(request_time.total_seconds() * 1000),
                "address": environ.get("REMOTE_ADDR"),
            },
        )
        clear_guid()


bind = os.environ.get("PORTABILITY_BIND", "127.0.0.1:8000")
worker_class = "gthread"
threads = 8
timeout = 60
graceful_timeout = 10
control_socket_disable = True
accesslog = "-"
logger_class = JsonLogger
logconfig_dict = LOGGING
