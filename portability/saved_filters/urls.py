"""Addresses of the room of saved filters. What is below the register was there first; the queue's is beside it."""

from django.urls import path

from portability.saved_filters import views

app_name = "saved_filters"
urlpatterns = [
    path("register/filters/", views.saved_filters, name="all"),
    path("register/filters/menu/", views.menu, name="menu"),
    path("register/filters/menu/queue/", views.menu, {"page": "queue"}, name="queue_menu"),
    path("register/filters/new/", views.new, name="new"),
    path("register/filters/new/queue/", views.new, {"page": "queue"}, name="new_of_queue"),
    path("register/filters/<int:pk>/", views.edit, name="edit"),
    path("register/filters/<int:pk>/default/", views.default, name="default"),
    path("register/filters/<int:pk>/delete/", views.delete, name="delete"),
]
