import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { publicOrigin, Settings } from '@atrium/platform/config';
import { DAY, inTurns, onceForAll, Problem, SECOND } from '@atrium/platform/kernel';
import express, { type Request, type RequestHandler, type Response, type Router } from 'express';
import { GuidePages } from './docs-guide';
import { problemPage, problemsPage } from './docs-problems';
import { forSwaggerUi, UI_FILES, UI_PAGE, UI_STYLE } from './docs-ui';
import { UI_SCRIPT } from './docs-ui-script';
import { openApiInPieces } from './openapi';
import { PublicText } from './public-text';

/**
 * The reference: Swagger UI at `/docs` (where `/` leads), the document at `/openapi.json`, the guide under `/guide`, a page for
 * every error code under `/problems`. The document is made when it is first asked for, because most starts never show it, and in
 * turns with other requests, because it takes about a second.
 */
export function serveDocs(app: NestExpressApplication): void {
  const documents = onceForAll(() => bothForms(app));
  app.use('/openapi.json', onlyGet, async (request: Request, response: Response) =>
    (await documents()).published.sendText(request, response),
  );
  app.use(
    '/docs',
    userInterface(async () => (await documents()).shown),
  );
  app.use('/problems', problemPages());
  app.use('/guide', guidePages());
  app.use(toTheReference);
}

interface Documents {
  readonly published: PublicText;
  /** As Swagger UI shows it. */
  readonly shown: PublicText;
}

async function bothForms(app: NestExpressApplication): Promise<Documents> {
  const document = await inTurns(openApiInPieces(app, publicOrigin(app.get(Settings))));
  const published = await inItsTurn(() => asJson(document));
  return { published, shown: await inItsTurn(() => asJson(forSwaggerUi(document))) };
}

const asJson = (document: object): PublicText => new PublicText('application/json', JSON.stringify(document));

const inItsTurn = <T>(work: () => T): Promise<T> => new Promise<void>((resolve) => setImmediate(resolve)).then(work);

function userInterface(shownDocument: () => Promise<PublicText>): Router {
  const ui = express.Router();
  const page = new PublicText('html', UI_PAGE);
  const script = new PublicText('text/javascript', UI_SCRIPT);
  const style = new PublicText('css', UI_STYLE);
  ui.get('/', (request, response) => page.sendText(request, response));
  ui.get('/reference.js', (request, response) => script.sendText(request, response));
  ui.get('/reference.css', (request, response) => style.sendText(request, response));
  ui.get('/openapi.json', async (request, response) => (await shownDocument()).sendText(request, response));
  for (const file of UI_FILES) {
    const read = onceForAll(() => ofDistribution(file));
    ui.get(`/${file}`, async (request, response) => (await read()).sendText(request, response));
  }
  return ui;
}

async function ofDistribution(file: string): Promise<PublicText> {
  const bytes = await readFile(join(require.resolve('swagger-ui-dist/package.json'), '..', file));
  return new PublicText(extname(file), bytes, `public, max-age=${DAY / SECOND}`);
}

function problemPages(): Router {
  const pages = express.Router();
  pages.get('/', (_request, response) => response.type('html').send(problemsPage()));
  pages.get('/:code', (request, response, next) => {
    const page = problemPage(request.params.code);
    if (page) response.type('html').send(page);
    else next();
  });
  return pages;
}

function guidePages(): Router {
  let guide: GuidePages | undefined;
  const pages = express.Router();
  pages.use((request, response, next) => {
    const page =
      request.method === 'GET' || request.method === 'HEAD' ? (guide ??= new GuidePages()).findPage(request.path.slice(1)) : undefined;
    if (page) response.type('html').send(page);
    else next();
  });
  return pages;
}

/** A browser that opens the bare address is led to the reference. */
const toTheReference: RequestHandler = (request, response, next) => {
  if (request.path === '/' && (request.method === 'GET' || request.method === 'HEAD')) response.redirect(302, '/docs');
  else next();
};

const onlyGet: RequestHandler = (request, _response, next) => {
  if (request.method !== 'GET' && request.method !== 'HEAD')
    throw new Problem('method_not_allowed', 'This path supports GET only.', { headers: { Allow: 'GET' } });
  next();
};
