import { data, type LoaderFunctionArgs } from 'react-router';
import { requestFacts } from '../server/rooms.ts';

/** It carries no script: in the browser React Router would forgive its address into a page. */
export const handle = { isStatic: true };

/** Also the page of every refusal that has no page of its own: it looks the same wherever it was given. */
export const loader = ({ context }: LoaderFunctionArgs) => {
  throw data(null, { status: context.get(requestFacts).refused });
};

export default function NotFound() {
  return null;
}
