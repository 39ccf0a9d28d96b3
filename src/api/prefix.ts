/** Where the API lives. */
export const API_PREFIX = '/api/v1';
