import { dirname } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { OpenAPIObject } from '@nestjs/swagger';
import { publicOrigin, Settings } from '@atrium/platform/config';
import express, { type Request, type Response } from 'express';
import { buildOpenApi } from './openapi';

const UI_OPTIONS = { persistAuthorization: true, displayRequestDuration: true, docExpansion: 'none', filter: true, tagsSorter: 'alpha', tryItOutEnabled: true };

/**
 * Swagger UI at `/docs`, the document at `/openapi.json`. The document is made when first asked for: most starts never
 * show it.
 */
export function serveDocs(app: NestExpressApplication): void {
  let document: OpenAPIObject | undefined;
  app.use('/openapi.json', (_request: Request, response: Response) => {
    document ??= buildOpenApi(app, publicOrigin(app.get(Settings)));
    response.type('application/json').send(JSON.stringify(document));
  });
  const ui = express.Router();
  ui.get('/', (_request, response) => response.type('html').send(PAGE));
  ui.use(express.static(dirname(require.resolve('swagger-ui-dist/package.json')), { index: false, maxAge: '1d' }));
  app.use('/docs', ui);
}

const PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Atrium API</title><meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="/docs/swagger-ui.css"><link rel="icon" href="/docs/favicon-32x32.png"></head>
<body><div id="ui"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script>window.ui = SwaggerUIBundle(Object.assign({ url: '/openapi.json', dom_id: '#ui', presets: [SwaggerUIBundle.presets.apis], layout: 'BaseLayout' }, ${JSON.stringify(UI_OPTIONS)}));</script>
</body></html>`;
