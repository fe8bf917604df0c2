"""Addresses of the matrices room."""

from django.urls import URLPattern

app_name = "matrices"
urlpatterns: list[URLPattern] = []
