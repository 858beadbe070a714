import { formatCount } from '../../../contract/format.ts'
import { FirstAdministrators } from '../../../features/access/permissions/web/public/FirstAdministrators.tsx'
import { TextLink } from '../../../platform/web/kit/TextLink.tsx'
import type { Setup } from '../contract.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'

/** What levels mean, and the first administrators. */
export const PeopleStep = ({ setup }: { setup: Setup }) => (
  <>
    <ul className={layoutClasses.stack}>
      <li>
        <strong>Level 10</strong> is everyone who signs in: they find people, sites and charters, and can suggest changes.
      </li>
      <li>
        <strong>Level 6</strong> are administrators: they also edit sites and people, answer requests and read charter affairs.
      </li>
      <li>
        <strong>Level 5</strong> also edits charter affairs, and changes the settings.
      </li>
      <li>
        <strong>Level 1</strong> also runs the program, as you do. It is given only by <code>SUPER_ADMINS</code> in the server’s
        environment.
      </li>
    </ul>
    <p>
      {setup.administrators === 0
        ? 'There is no other administrator.'
        : `There ${setup.administrators === 1 ? 'is' : 'are'} ${formatCount(setup.administrators, ['other administrator', 'other administrators'])}.`}{' '}
      <TextLink to="/permissions">See who has access</TextLink>
    </p>
    <FirstAdministrators />
  </>
)
