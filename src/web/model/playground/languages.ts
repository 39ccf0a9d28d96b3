/** The languages in which requests are shown, and the requests that stand as examples. */

import { type ApiRequest, curlLines, javascriptLines, pythonLines } from './lines.ts';
import { goLines, phpLines, rubyLines } from './more-lines.ts';

export interface CodeLanguage {
  id: string;
  name: string;
  write(request: ApiRequest): string;
}

export const CODE_LANGUAGES: readonly CodeLanguage[] = [
  { id: 'curl', name: 'curl', write: curlLines },
  { id: 'javascript', name: 'JavaScript', write: javascriptLines },
  { id: 'python', name: 'Python', write: pythonLines },
  { id: 'go', name: 'Go', write: goLines },
  { id: 'php', name: 'PHP', write: phpLines },
  { id: 'ruby', name: 'Ruby', write: rubyLines },
];

export interface ExampleRequest extends Omit<ApiRequest, 'base'> {
  title: string;
}

export const EXAMPLE_REQUESTS: readonly ExampleRequest[] = [
  {
    title: 'Concerts of the next seven days',
    path: '/events',
    id: '',
    query: [
      ['when', 'next_7_days'],
      ['category', 'concert'],
      ['limit', '5'],
    ],
  },
  {
    title: 'Free text, as people type it',
    path: '/events',
    id: '',
    query: [
      ['ask', 'free music this weekend'],
      ['limit', '5'],
    ],
  },
  {
    title: 'What is near, the nearest first',
    path: '/events',
    id: '',
    query: [
      ['near', '43.56,-87.845'],
      ['radius', '5000'],
      ['sort', 'distance'],
      ['limit', '5'],
    ],
  },
  {
    title: 'Clubs and bars',
    path: '/venues',
    id: '',
    query: [
      ['type', 'club,bar'],
      ['limit', '5'],
    ],
  },
  {
    title: 'What is on the rise',
    path: '/trending',
    id: '',
    query: [
      ['type', 'events'],
      ['limit', '5'],
    ],
  },
];
