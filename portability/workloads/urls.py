"""Addresses of the workloads room."""

from django.urls import URLPattern

app_name = "workloads"
urlpatterns: list[URLPattern] = []
