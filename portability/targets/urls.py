"""Addresses of the targets room."""

from django.urls import URLPattern

app_name = "targets"
urlpatterns: list[URLPattern] = []
