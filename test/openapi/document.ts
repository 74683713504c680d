/** As much of an OpenAPI document as the tests look at. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly 'x-tagGroups': readonly { readonly name: string; readonly tags: readonly string[] }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<
      Record<string, { readonly properties?: Readonly<Record<string, { readonly type?: unknown; readonly enum?: readonly string[] }>> }>
    >;
  };
}

export interface OpenApiOperation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly 'x-permissions'?: object;
  readonly 'x-beta'?: boolean;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required?: boolean }[];
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Readonly<Record<string, OpenApiContent>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, OpenApiContent>>; readonly headers?: Readonly<Record<string, object>> }>
  >;
}

export interface OpenApiContent {
  readonly schema?: object;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, object>>;
}

export interface NamedOperation {
  /** `get /api/v1/albums`. */
  readonly name: string;
  readonly operation: OpenApiOperation;
}

export const operationsIn = (document: OpenApiDocument): NamedOperation[] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ name: `${method} ${path}`, operation })),
  );
