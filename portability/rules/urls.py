"""Addresses of the rules room."""

from django.urls import path

from portability.rules import own_views, views
from portability.rules.custom import views as custom_views

app_name = "rules"
urlpatterns = [
    path("rules/", views.rules, name="rules"),
    path("rules/rows/<slug:table>/", views.rows, name="rows"),
    path("rules/own/", own_views.rows, name="own_rows"),
    path("rules/own/new/", own_views.new, name="own_new"),
    path("rules/own/paste/", own_views.paste, name="own_paste"),
    path("rules/own/<int:pk>/", own_views.row, name="own_row"),
    path("rules/own/<int:pk>/edit/", own_views.edit, name="own_edit"),
    path("rules/own/<int:pk>/remove/", own_views.remove, name="own_remove"),
    path("rules/custom.yaml", custom_views.export, name="custom_export"),
    path("rules/custom/new/", custom_views.new, name="custom_new"),
    path("rules/custom/<int:number>/edit/", custom_views.edit, name="custom_edit"),
    path("rules/custom/<int:number>/off/", custom_views.switch_off, name="custom_off"),
    path("rules/custom/<int:number>/remove/", custom_views.remove, name="custom_remove"),
    path("rules/<slug:id>/", views.rule, name="rule"),
]
