"""Addresses of the audit room."""

from django.urls import path

from portability.audit import views

app_name = "audit"
urlpatterns = [
    path("history/", views.entries, name="entries"),
    path("history/export.<slug:kind>", views.exported, name="export"),
]
