// The API, whose access log can be stopped and resumed while it runs: POST /access-log/off, POST /access-log/on.
const { join } = require('node:path');

const dist = join(__dirname, '../../dist');
const { createApi } = require(join(dist, 'libs/platform/http/src/index.js'));
const { Edge } = require(join(dist, 'libs/platform/http/src/request-edge.js'));
const { AccessLogWriter } = require(join(dist, 'libs/governance/src/index.js'));
const { ApiModule } = require(join(dist, 'apps/api/src/api.module.js'));

async function main() {
  const app = await createApi(ApiModule);
  const { recorders } = app.get(Edge);
  let logging;
  app.getHttpAdapter().post('/access-log/:state', async (request, response) => {
    logging ??= [...recorders];
    // What was answered until now is written before the turn of the other begins.
    await app.get(AccessLogWriter, { strict: false }).flushBacklog();
    recorders.splice(0, recorders.length, ...(request.params.state === 'on' ? logging : []));
    response.send('{}');
  });
  await app.listen(Number(process.env.PORT), '127.0.0.1');
}

void main();
