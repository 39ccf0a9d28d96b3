/** What loaders and actions throw when they refuse. The error page shows the sentence; without a page it is the whole response. */

export function refusal(status: number, sentence: string): Response {
  return new Response(`${sentence}\n`, { status, headers: { 'Content-Type': 'text/plain; charset=utf-8' } });
}

/** For a form that no page of ours has sent: one with another `intent`, or a choice that was never offered. */
export const unknownForm = (): Response => refusal(400, 'This page has no such form. Go back, reload the page and try again.');
