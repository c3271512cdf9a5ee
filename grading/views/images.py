"""Pages of answers as images, for people with a right in their assessment."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from .. import access
from ..intake import media

SIZES = {"screen": "screen_sha256", "thumb": "thumbnail_sha256", "full": "stored_sha256"}
SIGNATURES = ((b"\xff\xd8\xff", "image/jpeg"), (b"\x89PNG\r\n\x1a\n", "image/png"), (b"RIFF", "image/webp"))
# A stored file is what we encoded ourselves; should one ever be more than an image, it may still do nothing.
SANDBOX = "default-src 'none'; style-src 'unsafe-inline'; sandbox"


@require_safe
@cache_control(private=True, max_age=3600, immutable=True)
def page_image(request: HttpRequest, public_id: str, size: str) -> HttpResponse:
    """One page in the size ``screen``, ``thumb`` or ``full``. The bytes are checked against their hash."""
    page = access.page_for(request.user, public_id)
    if size not in SIZES:
        raise Http404
    digest = getattr(page, SIZES[size])
    etag = f'"{digest}"'
    if request.headers.get("If-None-Match") == etag:
        return HttpResponse(status=304, headers={"ETag": etag})
    content = media.load(digest)
    kind = next((kind for start, kind in SIGNATURES if content.startswith(start)), "application/octet-stream")
    return HttpResponse(
        content,
        content_type=kind,
        headers={
            "ETag": etag,
            "Content-Security-Policy": SANDBOX,
            "X-Content-Type-Options": "nosniff",
            "Cross-Origin-Resource-Policy": "same-origin",
        },
    )
