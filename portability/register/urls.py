"""Addresses of the register room."""

from django.urls import URLPattern

app_name = "register"
urlpatterns: list[URLPattern] = []
