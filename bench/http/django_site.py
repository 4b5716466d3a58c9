# A site with Django's sitemap framework: /sitemap.xml?p=N. It prints its address and
# serves until its standard input ends.
import os
import sys
import threading
from urllib.parse import urlparse
from wsgiref.simple_server import WSGIRequestHandler, make_server

import django
from django.conf import settings

url = urlparse(os.environ["DATABASE_URL"])
settings.configure(
    ROOT_URLCONF=__name__,
    ALLOWED_HOSTS=["*"],
    SECRET_KEY="for a measurement only",
    USE_TZ=True,
    INSTALLED_APPS=["django.contrib.sitemaps"],
    TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True}],
    DATABASES={"default": {"ENGINE": "django.db.backends.postgresql", "NAME": url.path[1:], "USER": url.username,
                           "HOST": url.hostname, "PORT": url.port, "CONN_MAX_AGE": None}},
)
django.setup()

from django.contrib.sitemaps import Sitemap
from django.contrib.sitemaps.views import sitemap
from django.core.wsgi import get_wsgi_application
from django.db import models
from django.urls import path


class Post(models.Model):
    id = models.BigIntegerField(primary_key=True)
    slug = models.TextField()
    changed = models.DateTimeField()

    class Meta:
        app_label = "posts"
        db_table = "posts"
        managed = False


class Posts(Sitemap):
    limit = 10000
    protocol = "https"

    def items(self):
        return Post.objects.order_by("id")

    def lastmod(self, post):
        return post.changed

    def location(self, post):
        return "/posts/" + post.slug


urlpatterns = [path("sitemap.xml", sitemap, {"sitemaps": {"posts": Posts}})]


class Quiet(WSGIRequestHandler):
    def log_message(self, *arguments):
        pass


server = make_server("127.0.0.1", 0, get_wsgi_application(), handler_class=Quiet)
print("http://127.0.0.1:%d" % server.server_port, flush=True)
threading.Thread(target=lambda: (sys.stdin.read(), server.shutdown())).start()
server.serve_forever()
