import type { OpenAPIObject } from '@nestjs/swagger';
import { TENANT_HEADER } from './docs-headers';
import { EVENT_STREAM_TYPE } from './event-stream-type';

const STREAMING =
  'Execute shows events as they arrive, until you press Clear. To follow them in a terminal, run the command that it shows with `curl -N`.';

interface UiOperation {
  description?: string;
  parameters?: { readonly name: string }[];
  security?: Record<string, string[]>[];
  responses?: Record<string, { readonly description?: string; readonly content?: object }>;
}

/**
 * The document as Swagger UI shows it: the workspace is given once, in the same dialog as the key, and remembered with
 * it, instead of being typed for every operation. Errors show their codes only: the same example under each of them would bury the
 * answers that matter, and the UI processes the whole document whenever an operation is opened.
 */
export function forSwaggerUi(document: OpenAPIObject): object {
  const paths = Object.fromEntries(
    Object.entries(document.paths).map(([path, item]) => [path, mapOperations(item as Record<string, UiOperation>)]),
  );
  const { ApiKeyAuth, ...others } = document.components?.securitySchemes ?? {};
  const Workspace = {
    type: 'apiKey',
    in: 'header',
    name: TENANT_HEADER,
    description: 'Id of the workspace that requests act in. `npm start` prints the id and the key of the demo workspace.',
  };
  return {
    ...document,
    paths,
    components: {
      ...document.components,
      examples: undefined,
      securitySchemes: { ...(ApiKeyAuth && { ApiKeyAuth }), Workspace, ...others },
    },
  };
}

function mapOperations(item: Record<string, UiOperation>): Record<string, UiOperation> {
  return Object.fromEntries(
    Object.entries(item).map(([method, operation]) => {
      const { parameters = [] } = operation;
      const shown = {
        ...operation,
        ...streaming(operation),
        ...(operation.responses && { responses: withoutErrorBodies(operation.responses) }),
      };
      if (!parameters.some(({ name }) => name === TENANT_HEADER)) return [method, shown];
      const security = (operation.security ?? []).map((schemes) => ({ ...schemes, Workspace: [] }));
      return [method, { ...shown, parameters: parameters.filter(({ name }) => name !== TENANT_HEADER), security }];
    }),
  );
}

const streaming = ({ description = '', responses = {} }: UiOperation): { description: string } | undefined =>
  Object.values(responses).some(({ content = {} }) => EVENT_STREAM_TYPE in content)
    ? { description: `${description}\n\n${STREAMING}` }
    : undefined;

const withoutErrorBodies = (responses: NonNullable<UiOperation['responses']>): UiOperation['responses'] =>
  Object.fromEntries(
    Object.entries(responses).map(([status, { content, ...response }]) => [
      status,
      /^[45]/.test(status) || !content ? response : { ...response, content },
    ]),
  );

/** The page around Swagger UI. Its script and style are files of their own, so that a strict content policy lets them in. */
export const UI_PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Atrium API</title><meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="/docs/swagger-ui.css"><link rel="stylesheet" href="/docs/reference.css"><link rel="icon" href="/docs/favicon-32x32.png"></head>
<body><div id="ui"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/reference.js"></script></body>
</html>`;

export const UI_STYLE = `.swagger-ui .info { margin: 28px 0 20px; }
.swagger-ui .info .title small pre { padding: 2px 6px; }
.swagger-ui .scheme-container { padding: 16px 0; box-shadow: none; border-top: 1px solid #e4e8ee; border-bottom: 1px solid #e4e8ee; }
.swagger-ui .opblock-tag small { flex: 3; }
.swagger-ui .opblock-tag { font-size: 20px; }
.swagger-ui .area-group { margin: 40px 0 4px; font-size: 26px; color: #1c2530; }
.swagger-ui .area-group:first-child { margin-top: 0; }
.swagger-ui .nothing-found { color: #3b4151; }
.swagger-ui .opblock .opblock-summary-path { max-width: 50%; }
.swagger-ui .info hgroup .link, .swagger-ui .info a.link { display: none; }
.swagger-ui .info .description a.link { display: inline; }
.swagger-ui .responses-table:not(.live-responses-table) td { padding: 6px 0; }
`;

/** What of the Swagger UI distribution the page needs; the rest of it (such as its demo page) is not served. */
export const UI_FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'] as const;
