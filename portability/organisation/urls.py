"""Addresses of the organisation room."""

from django.urls import path

from portability.organisation import views

app_name = "organisation"
urlpatterns = [path("settings/", views.settings, name="settings")]
