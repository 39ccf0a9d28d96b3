import { useId } from 'react';
import { useLanguage } from '../../design/use-language.ts';
import type { EventsFacts } from '../../model/lists.ts';

type Props = Pick<EventsFacts, 'query' | 'view' | 'neighborhoods'>;

/** The words to look for, and the filters with too many values for chips. It sends along what is chosen elsewhere. */
export function ListForm({ query, view, neighborhoods }: Props) {
  const id = useId();
  const { text, formats } = useLanguage();
  // A list takes one of the two.
  const words = query.q === undefined ? 'ask' : 'q';
  const isOpen = FIELDS.some((name) => name !== 'ask' && query[name] !== undefined);
  const { price_max: price = '' } = query;
  const prices = price === '' || PRICES.includes(price) ? PRICES : [...PRICES, price];
  return (
    <search>
      <form action="/events" className="list-form">
        {Object.entries(query).map(([name, value]) =>
          name === words || FIELDS.includes(name) ? null : <input key={name} type="hidden" name={name} value={value} />,
        )}
        {view === 'list' ? null : <input type="hidden" name="view" value={view} />}
        <label className="visually-hidden" htmlFor={`${id}-ask`}>
          {text('search.label')}
        </label>
        <div className="list-search">
          <input
            id={`${id}-ask`}
            name={words}
            type="search"
            maxLength={200}
            autoComplete="off"
            defaultValue={query[words] ?? ''}
            placeholder={text('search.placeholder')}
          />
          <button type="submit" className="button primary">
            {text('search.button')}
          </button>
        </div>
        <details className="list-more" open={isOpen}>
          <summary>{text('events.moreFilters')}</summary>
          <div className="list-fields">
            <div className="field">
              <label htmlFor={`${id}-neighborhood`}>{text('filter.neighborhood')}</label>
              <select id={`${id}-neighborhood`} name="neighborhood" defaultValue={query.neighborhood ?? ''}>
                <option value="">{text('filter.anywhere')}</option>
                {neighborhoods.map(({ value, name, count }) => (
                  <option key={value} value={value}>{`${name} (${formats.number(count)})`}</option>
                ))}
              </select>
            </div>
            <div className="field">
              <label htmlFor={`${id}-price`}>{text('filter.price_max')}</label>
              <select id={`${id}-price`} name="price_max" defaultValue={price}>
                <option value="">{text('filter.anyPrice')}</option>
                {prices.map((each) => (
                  <option key={each} value={each}>
                    {formats.number(Number(each), 2)}
                  </option>
                ))}
              </select>
            </div>
            <button type="submit" className="button">
              {text('events.apply')}
            </button>
          </div>
        </details>
      </form>
    </search>
  );
}

const FIELDS: readonly string[] = ['ask', 'neighborhood', 'price_max'];
/** Amounts of the city's currency. */
const PRICES: readonly string[] = ['10', '20', '50', '100'];
