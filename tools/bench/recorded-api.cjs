// The API, which also reports the statements it sent since the last call: GET /statements.
const { join } = require('node:path');
const { Client } = require('pg');

const dist = join(__dirname, '../../dist');
const statements = [];
const query = Client.prototype.query;
Client.prototype.query = function recorded(...args) {
  const [statement, values] = args;
  // Several statements may leave together.
  if (Array.isArray(statement?.statements)) statements.push(...statement.statements.map(({ text, values }) => ({ text, values })));
  else if (typeof statement === 'string') statements.push({ text: statement, values: Array.isArray(values) ? values : [] });
  else if (typeof statement?.text === 'string') statements.push({ text: statement.text, values: statement.values ?? [] });
  return query.apply(this, args);
};

const { createApi } = require(join(dist, 'libs/platform/http/src/index.js'));
const { ApiModule } = require(join(dist, 'apps/api/src/api.module.js'));

async function main() {
  const app = await createApi(ApiModule);
  app.getHttpAdapter().get('/statements', (_request, response) => response.json(statements.splice(0)));
  await app.listen(Number(process.env.PORT), '127.0.0.1');
}

void main();
