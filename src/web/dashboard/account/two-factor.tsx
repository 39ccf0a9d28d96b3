import { CopyBlock } from '../../design/code.tsx';
import { Field } from '../../design/forms/field.tsx';
import { PostForm, Submit } from '../../design/forms/form.tsx';
import { Badge, Notice } from '../../design/notice.tsx';
import type { FormResult, TwoFactorShown } from '../../model/account.ts';

export function TwoFactor({ isOn, formResult }: { isOn: boolean; formResult: FormResult | undefined }) {
  const errorsOf = (about: string) => (formResult?.ok === false && formResult.about === about ? formResult.errors : undefined);
  const begun = formResult?.ok && formResult.about === 'two-factor-begin' ? formResult : undefined;
  const isConfirming = begun !== undefined || errorsOf('two-factor-confirm') !== undefined;
  return (
    <section className="card stack setting" aria-labelledby="two-factor">
      <h2 id="two-factor" className="cluster">
        Two-factor sign-in <Badge kind={isOn ? 'good' : 'plain'}>{isOn ? 'on' : 'off'}</Badge>
      </h2>
      {formResult?.ok && formResult.about === 'backup-codes' && formResult.backupCodes ? (
        <BackupCodes codes={formResult.backupCodes} />
      ) : null}
      {isOn ? (
        <OnForms errorsOf={errorsOf} />
      ) : isConfirming ? (
        <Confirming start={begun?.start} codes={begun?.backupCodes} errors={errorsOf('two-factor-confirm')} />
      ) : (
        <>
          <p>After your password, you enter a code from an app on your phone. A stolen password alone is not enough.</p>
          <PostForm errors={errorsOf('two-factor-begin')}>
            <PasswordNow error={errorsOf('two-factor-begin')?.current} />
            <Submit intent="two-factor-begin" kind="">
              Set up two-factor sign-in
            </Submit>
          </PostForm>
        </>
      )}
    </section>
  );
}

function Confirming({
  start,
  codes,
  errors,
}: {
  start: TwoFactorShown | undefined;
  codes: string[] | undefined;
  errors: Record<string, string> | undefined;
}) {
  return (
    <>
      {start ? (
        <>
          <p>1. Scan this with your authenticator app, or type the key into it.</p>
          <svg
            className="qr"
            viewBox={`0 0 ${start.qr.size} ${start.qr.size}`}
            role="img"
            aria-label="QR code for your authenticator app"
          >
            <path d={start.qr.path} shapeRendering="crispEdges" />
          </svg>
          <CopyBlock text={start.secret} label="the key" />
        </>
      ) : (
        <p>
          Enter the code that the app shows now. Lost the QR code? <a href="/dashboard/account">Start over</a>
        </p>
      )}
      {codes ? (
        <>
          <p>2. Store these codes where you can find them without your phone.</p>
          <BackupCodes codes={codes} />
          <p>3. Enter the code that the app shows.</p>
        </>
      ) : null}
      <PostForm errors={errors}>
        <Field
          label="Code"
          hint="Six digits."
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          error={errors?.code}
        />
        <Submit intent="two-factor-confirm">Turn on</Submit>
      </PostForm>
    </>
  );
}

function OnForms({ errorsOf }: { errorsOf: (about: string) => Record<string, string> | undefined }) {
  return (
    <div className="halves">
      <PostForm errors={errorsOf('backup-codes')}>
        <p>New backup codes replace the old ones.</p>
        <PasswordNow error={errorsOf('backup-codes')?.current} />
        <Submit intent="backup-codes" kind="">
          Create new backup codes
        </Submit>
      </PostForm>
      <PostForm errors={errorsOf('two-factor-end')}>
        <p>Without two-factor sign-in, your password alone opens your account.</p>
        <PasswordNow error={errorsOf('two-factor-end')?.current} />
        <Submit intent="two-factor-end" kind="danger">
          Turn off
        </Submit>
      </PostForm>
    </div>
  );
}

function BackupCodes({ codes }: { codes: string[] }) {
  return (
    <Notice kind="warn" title="Your backup codes">
      <p>Each code works once instead of a code from the app. The codes are not shown again.</p>
      <ul className="codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function PasswordNow({ error }: { error: string | undefined }) {
  return <Field label="Current password" name="current" type="password" autoComplete="current-password" required error={error} />;
}
