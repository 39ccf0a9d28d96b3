import { Field } from '../../design/forms/field.tsx';
import { PostForm, Submit } from '../../design/forms/form.tsx';
import type { FormResult } from '../../model/account.ts';

export function NameForm({ name, formResult }: { name: string; formResult: FormResult | undefined }) {
  const refused = formResult?.ok === false && formResult.about === 'name' ? formResult : undefined;
  return (
    <section className="card stack setting" aria-labelledby="name">
      <h2 id="name">Name</h2>
      <PostForm errors={refused?.errors}>
        <Field
          label="Display name"
          hint="Only you and the operator of this service see it."
          name="name"
          autoComplete="name"
          defaultValue={refused?.typed.name ?? name}
          error={refused?.errors.name}
        />
        <Submit intent="name" kind="">
          Save name
        </Submit>
      </PostForm>
    </section>
  );
}

export function PasswordForm({ email, formResult }: { email: string; formResult: FormResult | undefined }) {
  const errors = formResult?.ok === false && formResult.about === 'password' ? formResult.errors : undefined;
  return (
    <section className="card stack setting" aria-labelledby="password">
      <h2 id="password">Password</h2>
      <PostForm errors={errors}>
        {/* For password managers: whose password it is. */}
        <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
        <Field
          label="Current password"
          name="current"
          type="password"
          autoComplete="current-password"
          required
          error={errors?.current}
        />
        <Field
          label="New password"
          hint="10 characters or more. All other sessions end."
          name="password"
          type="password"
          autoComplete="new-password"
          required
          error={errors?.password}
        />
        <Submit intent="password" kind="">
          Change password
        </Submit>
      </PostForm>
    </section>
  );
}
