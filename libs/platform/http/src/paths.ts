/** Everything a client of a workspace calls stands under this prefix. */
export const API_PREFIX = 'api/v1';
