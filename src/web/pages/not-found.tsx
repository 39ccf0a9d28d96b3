import { data } from 'react-router';

/** It carries no script: in the browser React Router would forgive its address into a page. */
export const handle = { still: true };

export const loader = () => {
  throw data(null, { status: 404 });
};

export default function NotFound() {
  return null;
}
