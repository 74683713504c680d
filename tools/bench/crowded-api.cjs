// The API with many routes more than it has: `node crowded-api.cjs 600`.
const { join } = require('node:path');

const dist = join(__dirname, '../../dist');
const { createApi } = require(join(dist, 'libs/platform/http/src/index.js'));
const { ApiModule } = require(join(dist, 'apps/api/src/api.module.js'));

async function main() {
  const app = await createApi(ApiModule);
  const http = app.getHttpAdapter();
  for (let n = 0; n < Number(process.argv[2]); n++)
    http.get(`/api/v1/dummy-${n}/:id/part-${n % 7}`, (_request, response) => response.send('{}'));
  await app.listen(Number(process.env.PORT), '127.0.0.1');
}

void main();
