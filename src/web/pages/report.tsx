import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect, useActionData, useLoaderData } from 'react-router';
import { formHead } from '../../http/index.ts';
import { Field, TextArea } from '../design/forms/field.tsx';
import { PostForm, Submit } from '../design/forms/form.tsx';
import { Notice } from '../design/notice.tsx';
import { useLanguage, useSourceLanguage } from '../design/use-language.ts';
import { useRoot } from '../design/use-root.ts';
import { describeStart } from '../model/describe.ts';
import { type ReportedRecord, reportPath } from '../model/reports.ts';
import { newFormToken } from '../server/forms.ts';
import { readReportedRecord, receiveReport } from '../server/report.ts';
import './report.css';

/** `isFresh`: each form has a token of its own. */
export const handle = { isStatic: true, isFresh: true };

export function loader(page: LoaderFunctionArgs) {
  const isSent = new URL(page.request.url).searchParams.has('sent');
  return { record: readReportedRecord(page), token: newFormToken(), isSent };
}

export async function action(page: ActionFunctionArgs) {
  const outcome = await receiveReport(page);
  if (outcome.ok) return redirect(`${reportPath(outcome.record.entity, outcome.record.id)}&sent`);
  const { reason, typed, retryAfterSeconds } = outcome;
  return data({ reason, typed, retryAfterSeconds }, formHead(outcome));
}

export default function ReportPage() {
  const { record, isSent } = useLoaderData<typeof loader>();
  const { text } = useLanguage();
  const city = useRoot()?.city.name ?? text('site.yourCity');
  return (
    <section className="column gap stack loose report">
      <title>{`${text('report.title')} · ${city}`}</title>
      <meta name="robots" content="noindex" />
      <header className="stack">
        <h1>{text(isSent ? 'report.thanks' : 'report.title')}</h1>
        <About record={record} />
      </header>
      {isSent ? (
        <>
          <Notice kind="good" title={text('report.sent')}>
            {text('report.next')}
          </Notice>
          <p>
            <a className="button" href={record.path}>
              {text(`report.back.${record.entity}`)}
            </a>
          </p>
        </>
      ) : (
        <ReportForm />
      )}
    </section>
  );
}

function About({ record: { title, path, startDatetime, place } }: { record: ReportedRecord }) {
  const language = useLanguage();
  const sourceLanguage = useSourceLanguage();
  const day = startDatetime && describeStart(language, { startDatetime, startPrecision: 'date' });
  return (
    <p className="report-about">
      <a href={path} lang={sourceLanguage}>
        <bdi>{title}</bdi>
      </a>
      <span className="quiet">
        {day && place ? `${day} · ` : day}
        <span lang={sourceLanguage}>{place}</span>
      </span>
    </p>
  );
}

function ReportForm() {
  const { record, token } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const { text } = useLanguage();
  const { reason, typed } = refused ?? {};
  const error = (...reasons: string[]) =>
    reason && reasons.includes(reason)
      ? text(`report.error.${reason}`, { minutes: Math.ceil((refused?.retryAfterSeconds ?? 0) / 60) })
      : undefined;
  const whole = error('limited', 'full');
  const kindError = error('kind');
  return (
    <PostForm token={token} errors={whole ? { form: whole } : undefined}>
      <fieldset className="field report-kinds" aria-describedby={kindError ? 'report-kind-error' : undefined}>
        <legend>{text('report.what')}</legend>
        {record.kinds.map((kind) => (
          <label key={kind} className="choice">
            <input type="radio" name="kind" value={kind} required defaultChecked={typed?.kind === kind} />
            <span>{text(`report.kind.${record.entity}.${kind}`)}</span>
          </label>
        ))}
        {kindError ? (
          <span className="error" id="report-kind-error" role="alert">
            {kindError}
          </span>
        ) : null}
      </fieldset>
      <TextArea
        label={text('report.words')}
        name="words"
        rows={4}
        maxLength={1000}
        hint={text('report.wordsHint')}
        error={error('words_missing', 'words_long')}
        defaultValue={typed?.words}
      />
      <Field
        label={text('report.email')}
        name="email"
        type="email"
        autoComplete="email"
        maxLength={254}
        hint={text('report.emailHint')}
        error={error('email')}
        defaultValue={typed?.email}
      />
      <div className="report-trap" aria-hidden="true">
        <label>
          Website
          <input name="website" tabIndex={-1} autoComplete="off" />
        </label>
      </div>
      <div>
        <Submit>{text('report.send')}</Submit>
      </div>
    </PostForm>
  );
}
