import { join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { OpenAPIObject } from '@nestjs/swagger';
import { publicOrigin, Settings } from '@atrium/platform/config';
import { Problem } from '@atrium/platform/kernel';
import express, { type Request, type RequestHandler, type Response, type Router } from 'express';
import { GuidePages } from './docs-guide';
import { problemPage, problemsPage } from './docs-problems';
import { forSwaggerUi, UI_FILES, UI_PAGE, UI_SCRIPT, UI_STYLE } from './docs-ui';
import { buildOpenApi } from './openapi';

/**
 * The reference: Swagger UI at `/docs` (where `/` leads), the document at `/openapi.json`, the guide under `/guide`, a page for
 * every error code under `/problems`. The document is made when first asked for: most starts never show it.
 */
export function serveDocs(app: NestExpressApplication): void {
  let made: { readonly published: string; readonly shown: string } | undefined;
  const documents = (): { readonly published: string; readonly shown: string } =>
    (made ??= bothForms(buildOpenApi(app, publicOrigin(app.get(Settings)))));
  app.use(
    '/openapi.json',
    answerGet((response) => response.type('application/json').send(documents().published)),
  );
  app.use(
    '/docs',
    userInterface(() => documents().shown),
  );
  app.use('/problems', problemPages());
  app.use('/guide', guidePages());
  app.use(toTheReference);
}

const bothForms = (document: OpenAPIObject): { readonly published: string; readonly shown: string } => ({
  published: JSON.stringify(document),
  shown: JSON.stringify(forSwaggerUi(document)),
});

function userInterface(shownDocument: () => string): Router {
  const ui = express.Router();
  const distribution = join(require.resolve('swagger-ui-dist/package.json'), '..');
  ui.get('/', (_request, response) => response.type('html').send(UI_PAGE));
  ui.get('/openapi.json', (_request, response) => response.type('application/json').send(shownDocument()));
  ui.get('/reference.js', (_request, response) => response.type('text/javascript').send(UI_SCRIPT));
  ui.get('/reference.css', (_request, response) => response.type('css').send(UI_STYLE));
  for (const file of UI_FILES) ui.get(`/${file}`, (_request, response) => response.sendFile(file, { root: distribution, maxAge: '1d' }));
  return ui;
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
      request.method === 'GET' || request.method === 'HEAD' ? (guide ??= new GuidePages()).page(request.path.slice(1)) : undefined;
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

const answerGet =
  (answer: (response: Response) => void) =>
  (request: Request, response: Response): void => {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      throw new Problem('method_not_allowed', 'This path supports GET only.', { headers: { Allow: 'GET' } });
    answer(response);
  };
