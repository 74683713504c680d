"""OpenStack Swift with its S3 interface as one process: a real S3 server for contract tests, not for production.

Usage: swift-s3.py FOLDER. Prints the port it listens on when ready; ends when its standard input closes.
"""
import functools
import os
import sys

from swift.common import utils, wsgi

utils.HASH_PATH_SUFFIX = b'contract'
utils.eventlet_monkey_patch()

import eventlet
from eventlet.hubs import trampoline
from eventlet.wsgi import server as serve_forever
from swift.common.http_protocol import SwiftHttpProtocol
from swift.common.middleware.s3api.controllers.multi_upload import UploadsController
from swift.common.ring import RingBuilder

FOLDER = sys.argv[1]
DEFAULTS = f'''[DEFAULT]
swift_dir = {FOLDER}
devices = {FOLDER}/devices
recon_cache_path = {FOLDER}
mount_check = false
fallocate_reserve = 0
log_udp_host = 127.0.0.1
log_udp_port = 1
log_level = ERROR
'''
MIDDLEWARE = 'catch_errors gatekeeper healthcheck listing_formats bulk s3api tempauth slo dlo'.split()
SETTINGS = {
    's3api': 'location = us-east-1',
    'tempauth': 'user_test_tester = testing .admin',
}


class NoCache:
    """Answers like a memcache that forgets everything; the s3api middleware insists on one."""
    get = set = delete = incr = decr = lambda self, *args, **kwargs: None


def listen():
    return eventlet.listen(('127.0.0.1', 0))


def serve(sock, name, text, wrap=lambda app: app):
    path = os.path.join(FOLDER, f'{name}.conf')
    with open(path, 'w') as conf:
        conf.write(DEFAULTS + text)
    app = wrap(wsgi.loadapp(path))
    eventlet.spawn(serve_forever, sock, app, utils.NullLogger(), protocol=SwiftHttpProtocol,
                   capitalize_response_headers=False, log_output=False)


def with_cache(app):
    def cached(env, start_response):
        env['swift.cache'] = NoCache()
        return app(env, start_response)
    return cached


def accept_empty_delimiter(get):
    @functools.wraps(get)
    def tolerant(self, req):
        if req.params.get('delimiter') == '':
            req.params.pop('delimiter')
        return get(self, req)
    return tolerant


os.makedirs(os.path.join(FOLDER, 'devices', 'd1'))
UploadsController.GET = accept_empty_delimiter(UploadsController.GET)
for kind in ('account', 'container', 'object'):
    backend = listen()
    ring = RingBuilder(1, 1, 0)
    ring.add_dev(dict(region=1, zone=1, ip='127.0.0.1', port=backend.getsockname()[1], device='d1', weight=1.0))
    ring.rebalance()
    ring.get_ring().save(os.path.join(FOLDER, f'{kind}.ring.gz'))
    serve(backend, kind, f'[pipeline:main]\npipeline = app\n[app:app]\nuse = egg:swift#{kind}\n')

front = listen()
filters = ''.join(f'[filter:{name}]\nuse = egg:swift#{name}\n{SETTINGS.get(name, "")}\n' for name in MIDDLEWARE)
serve(front, 'proxy', f'[pipeline:main]\npipeline = {" ".join(MIDDLEWARE)} proxy-server\n{filters}'
      '[app:proxy-server]\nuse = egg:swift#proxy\naccount_autocreate = true\n', with_cache)
print(front.getsockname()[1], flush=True)
while True:
    trampoline(0, read=True)
    if not os.read(0, 1):
        break
