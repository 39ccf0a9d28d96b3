/** The form in which a list is answered: the contract's JSON, or another form that `Accept` prefers. */

import { chooseMediaType } from '../../http/index.ts';
import { API_PREFIX } from '../prefix.ts';
import type { RouteMatch } from '../route-table.ts';
import type { RequestContext } from './request-context.ts';
import type { RequestTargets } from './request-targets.ts';

/** The row that `Accept` chooses, or null when it excludes all that there is. Another form is answered as if its own path had been asked. */
export function chooseForm(ctx: RequestContext, targets: RequestTargets): RouteMatch | null {
  const { match, query } = ctx.target;
  if (!match) return null;
  const { offers, forms } = match;
  const chosen = chooseMediaType(ctx.head.accept, offers);
  if (chosen === null) return match.route.form ? match : null;
  if (chosen === offers[0]) return match;
  const path = API_PREFIX + forms?.get(chosen)?.path;
  ctx.target = targets.of(query === '' ? path : `${path}?${query}`);
  if (ctx.target.match) ctx.route = ctx.target.match.template;
  return ctx.target.match;
}
