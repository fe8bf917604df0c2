"""Addresses of the rules room."""

from django.urls import path

from portability.rules import own_views, views

app_name = "rules"
urlpatterns = [
    path("rules/", views.rules, name="rules"),
    path("rules/rows/<slug:table>/", views.rows, name="rows"),
    path("rules/own/<int:pk>/", own_views.row, name="own_row"),
    path("rules/<slug:id>/", views.rule, name="rule"),
]
