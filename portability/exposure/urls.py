"""The address of the exposure room: the first page."""

from django.urls import path

from portability.exposure import views

app_name = "exposure"
urlpatterns = [path("", views.exposure, name="exposure")]
