"""Every address of the product, by room."""

from django.urls import include, path

urlpatterns = [
    path("", include("portability.exposure.urls")),
    path("", include("portability.register.urls")),
    path("", include("portability.workloads.urls")),
    path("", include("portability.rehearsals.urls")),
    path("", include("portability.targets.urls")),
    path("", include("portability.matrices.urls")),
    path("", include("portability.rules.urls")),
    path("", include("portability.reviews.urls")),
    path("", include("portability.accounts.urls")),
    path("", include("portability.organisation.urls")),
    path("", include("portability.notifications.urls")),
    path("", include("portability.exports.urls")),
    path("", include("portability.saved_filters.urls")),
    path("", include("portability.audit.urls")),
    path("", include("portability.ops.urls")),
]

handler400 = "portability.errors.bad_request"
handler403 = "portability.errors.forbidden"
handler404 = "portability.errors.not_found"
handler500 = "portability.errors.server_error"
