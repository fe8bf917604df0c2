"""Addresses of the notifications room."""

from django.urls import path

from portability.notifications import views

app_name = "notifications"
urlpatterns = [
    path("notifications/", views.own, name="own"),
    path("webhooks/", views.endpoints, name="endpoints"),
    path("webhooks/new/", views.new_endpoint, name="new-endpoint"),
    path("webhooks/<int:pk>/", views.endpoint, name="endpoint"),
    path("webhooks/<int:pk>/secret/", views.rotate, name="rotate"),
    path("webhooks/<int:pk>/on/", views.switch, {"active": True}, name="switch-on"),
    path("webhooks/<int:pk>/off/", views.switch, {"active": False}, name="switch-off"),
    path("webhooks/<int:pk>/test/", views.test, name="test"),
    path("webhooks/<int:pk>/deliveries/<uuid:delivery>/again/", views.again, name="again"),
]
