"""Addresses that a supervisor asks."""

from django.urls import path

from portability.ops import views

app_name = "health"
urlpatterns = [
    path("health/live/", views.live, name="live"),
    path("health/ready/", views.ready, name="ready"),
]
