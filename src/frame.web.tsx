import { Button } from '@mantine/core'
import { IconHome, IconLifebuoy, IconLogout, IconMapPin, IconUsers, IconWifiOff } from '@tabler/icons-react'
import { Outlet, useRouter } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'

import { readProfilePhoto } from './features/pictures/contract.ts'
import { useRegions } from './features/regions/web/queries.ts'
import type { User } from './features/session/contract.ts'
import { firstNameOf } from './features/session/rules.ts'
import { goToSignOut } from './features/session/web/places.ts'
import { useSession } from './features/session/web/queries.ts'
import { addressOf } from './platform/web/client.ts'
import { sayFailure } from './platform/web/failures.ts'
import { Avatar } from './platform/web/kit/Avatar.tsx'
import { EmptyState, WaysOut } from './platform/web/kit/EmptyState.tsx'
import { Logo } from './platform/web/shell/Logo.tsx'
import { MenuButton, MenuLink, MenuSections } from './platform/web/shell/Menu.tsx'
import type { MenuSection } from './platform/web/shell/Menu.tsx'
import { Shell } from './platform/web/shell/Shell.tsx'
import { closeSupportWindow, openSupportWindow, useSupportWindow } from './platform/web/support-window.ts'

import classes from './frame.module.css'

const SupportRequestModal = lazy(() =>
  import('./features/requests/web/SupportRequestModal.tsx').then((module) => ({ default: module.SupportRequestModal })),
)

/** The menu's sections (section 2); Management comes with its first page. */
const useSections = (): readonly MenuSection[] => {
  const { data: regions = [] } = useRegions()
  const states = regions
    .map(({ slug, name }) => ({ label: name, to: `/region/${slug}`, covers: [`/region/${slug}/`] }))
    .toSorted((a, b) => a.label.localeCompare(b.label))
  return [
    {
      label: 'Locations',
      icon: IconMapPin,
      entries: [
        { label: 'Resource Centers', to: '/locations', covers: ['/location/'] },
        { label: 'Charters', to: '/charters', covers: ['/charter/', '/charterview/', '/charter_affair/'] },
        { label: 'Brands', to: '/brand', covers: ['/brands', '/brand/', '/brandview/'] },
        { label: 'Regions & States', to: '/regions', below: states },
      ],
    },
    {
      label: 'Staff',
      icon: IconUsers,
      covers: ['/staff/'],
      entries: [
        { label: 'Leadership', to: '/leadership' },
        { label: 'Student Support', to: '/support' },
        { label: 'Coverage', to: '/coverage' },
      ],
    },
  ]
}

const Menu = ({ close }: { close: () => void }) => (
  <>
    <div className={classes.brand}>
      <Logo />
      <span>Homeroom</span>
    </div>
    <div className={classes.group}>
      <MenuLink label="Home" to="/" icon={IconHome} />
      <hr className={classes.line} />
      <MenuSections sections={useSections()} />
    </div>
    <div className={classes.last}>
      <MenuButton
        label="Support"
        icon={IconLifebuoy}
        onClick={() => {
          close()
          openSupportWindow()
        }}
      />
      <MenuButton label="Sign Out" icon={IconLogout} onClick={goToSignOut} />
    </div>
  </>
)

const menuOf = (close: () => void) => <Menu close={close} />

const SignedIn = ({ user }: { user: User }) => (
  <Shell
    menu={menuOf}
    bar={
      <>
        <span className={classes.welcome}>Welcome, {firstNameOf(user.name)}!</span>
        <Avatar name={user.name} size={32} photo={addressOf(readProfilePhoto, { params: { person: 'me' } })} />
      </>
    }
  >
    <Outlet />
  </Shell>
)

/** The page, whichever it is, and the one window that any of them opens. */
export const Root = () => {
  const support = useSupportWindow()
  return (
    <>
      <Outlet />
      {support ? (
        <Suspense>
          <SupportRequestModal onClose={closeSupportWindow} />
        </Suspense>
      ) : null}
    </>
  )
}

/** Everything around the pages of those who are signed in. A lost connection offers Retry and stays (D36). */
export const Frame = () => {
  const router = useRouter()
  const session = useSession()
  if (session.state === 'signed in') return <SignedIn user={session.user} />
  if (session.state !== 'no connection') return <Loading />
  return (
    <main className={classes.alone}>
      <EmptyState icon={IconWifiOff} title="No connection" isPage>
        <p role="alert">{sayFailure(session.error)}</p>
        <WaysOut>
          <Button onClick={() => void router.invalidate()}>Retry</Button>
        </WaysOut>
      </EmptyState>
    </main>
  )
}

/** The frame's shape while it is not known yet who is there. */
export const Loading = () => (
  <div className={classes.loading} role="status" aria-label="Loading">
    <div className={classes.brand}>
      <Logo />
      <span>Homeroom</span>
    </div>
  </div>
)
