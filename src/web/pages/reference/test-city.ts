import { redirect } from 'react-router';

/** Records of the test city have no pages: their `url` leads to what they are for. */
export const loader = () => redirect('/docs/test-keys');
