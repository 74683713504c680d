/** Every operation of a workspace is under this prefix. */
export const API_PREFIX = 'api/v1';
