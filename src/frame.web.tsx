import { Button } from '@mantine/core'
import {
  IconDownload,
  IconHome,
  IconInbox,
  IconLifebuoy,
  IconLogout,
  IconMapPin,
  IconSettings,
  IconUserCircle,
  IconUsers,
  IconWifiOff,
} from '@tabler/icons-react'
import { Outlet, useLocation, useRouter } from '@tanstack/react-router'
import { lazy, Suspense, useEffect } from 'react'

import type { User } from './features/access/session/contract.ts'
import { getFirstName } from './features/access/session/rules.ts'
import { useCan, useSession } from './features/access/session/web/queries.ts'
import { goToSignOut, useSignOutConfirmation } from './features/access/session/web/sign-in-navigation.ts'
import { readProfilePhoto } from './features/record-tools/pictures/contract.ts'
import { useRegions } from './features/records/regions/web/queries.ts'
import { closeChangeWindow, useChangeWindow } from './platform/web/change-window.ts'
import { getCallUrl } from './platform/web/client.ts'
import { errorMessage } from './platform/web/failures.ts'
import { resolveSignIn, useIsSignInRequested } from './platform/web/form/open-forms.ts'
import { Avatar } from './platform/web/kit/Avatar.tsx'
import { EmptyState, EmptyStateActions } from './platform/web/kit/EmptyState.tsx'
import { closePalette, listenForPaletteKeys, usePalette } from './platform/web/palette.ts'
import { BarMenu } from './platform/web/shell/BarMenu.tsx'
import { Logo } from './platform/web/shell/Logo.tsx'
import { MenuButton, MenuLink, MenuSections } from './platform/web/shell/Menu.tsx'
import type { MenuSection } from './platform/web/shell/Menu.tsx'
import { SearchButton } from './platform/web/shell/SearchButton.tsx'
import { Shell } from './platform/web/shell/Shell.tsx'
import { closeSupportWindow, openSupportWindow, useSupportWindow } from './platform/web/support-window.ts'

import classes from './frame.module.css'

const SupportRequestModal = lazy(() =>
  import('./features/changing/requests/web/SupportRequestModal.tsx').then((module) => ({ default: module.SupportRequestModal })),
)

const ChangeRequestModal = lazy(() =>
  import('./features/changing/requests/web/ChangeRequestModal.tsx').then((module) => ({ default: module.ChangeRequestModal })),
)

const SignInAgain = lazy(() => import('./features/access/session/web/SignInAgain.tsx').then((module) => ({ default: module.SignInAgain })))

const SignOutDialog = lazy(() =>
  import('./features/access/session/web/SignOutDialog.tsx').then((module) => ({ default: module.SignOutDialog })),
)

const loadPalette = () => import('./features/finding/search/web/Palette.tsx').then((module) => ({ default: module.Palette }))
const Palette = lazy(loadPalette)
/** The palette is fetched once the first page has had its turn, so that the first press of Ctrl K need not wait for it; without a connection it is
 * fetched when it is opened. */
const PALETTE_AFTER = 1000

/** The one search of every page. */
const Search = () => {
  const { isOpen, text } = usePalette()
  useEffect(() => {
    const stop = listenForPaletteKeys()
    const timer = setTimeout(() => void loadPalette().catch(() => undefined), PALETTE_AFTER)
    return () => {
      stop()
      clearTimeout(timer)
      closePalette()
    }
  }, [])
  return isOpen ? (
    <Suspense>
      <Palette text={text} onAction={(action) => (action === 'support' ? openSupportWindow() : goToSignOut())} />
    </Suspense>
  ) : null
}

/** The menu's sections (section 2). Management has the pages there are for whoever asks; who may see none has no such section. */
const useSections = (): readonly MenuSection[] => {
  const management = [
    ...(useCan('manage the network')
      ? [
          { label: 'Add Brand', to: '/addbrand' },
          { label: 'Add Charter', to: '/addcharter' },
          { label: 'Add Staff', to: '/add_staff' },
        ]
      : []),
    ...(useCan('edit a site') ? [{ label: 'Add Resource Center', to: '/add_location' }] : []),
    ...(useCan('manage administrators') ? [{ label: 'Permissions', to: '/permissions' }] : []),
    ...(useCan('change the settings') ? [{ label: 'Settings', to: '/settings' }] : []),
    ...(useCan('end anyone’s sessions') ? [{ label: 'Sign-ins', to: '/accounts', covers: ['/accounts/'] }] : []),
    ...(useCan('see usage') ? [{ label: 'Usage', to: '/usage' }] : []),
    ...(useCan('see the error log') ? [{ label: 'Error Log', to: '/errors' }] : []),
    ...(useCan('see searches without results') ? [{ label: 'Searches Without Results', to: '/searches' }] : []),
  ]
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
    ...(management.length > 0 ? [{ label: 'Management', icon: IconSettings, entries: management }] : []),
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
      <hr className={classes.line} />
      <MenuLink label="Excel Downloads" to="/downloads" icon={IconDownload} />
      <MenuLink label={useCan('answer requests') ? 'Requests' : 'My Requests'} to="/requests" icon={IconInbox} />
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

const accountMenuOf = (user: User) => (close: () => void) => (
  <>
    <p className={classes.me}>
      <span className={classes.myName}>{user.name}</span>
      {user.name === user.azureID ? null : <span className={classes.myAddress}>{user.azureID}</span>}
    </p>
    <MenuLink label="My account" to="/account" icon={IconUserCircle} />
    <MenuButton
      label="Sign Out"
      icon={IconLogout}
      onClick={() => {
        close()
        goToSignOut()
      }}
    />
  </>
)

const SignedIn = ({ user }: { user: User }) => {
  const isHome = useLocation({ select: ({ pathname }) => pathname === '/' })
  return (
    <>
      <Shell
        menu={menuOf}
        bar={
          <>
            <span className={classes.welcome}>Welcome, {getFirstName(user.name)}!</span>
            <SearchButton brief={isHome} />
            <BarMenu
              label="Your account"
              face={<Avatar name={user.name} size={32} photo={getCallUrl(readProfilePhoto, { params: { person: 'me' } })} />}
            >
              {accountMenuOf(user)}
            </BarMenu>
          </>
        }
      >
        <Outlet />
      </Shell>
      <Search />
    </>
  )
}

/** The page, whichever it is, and the windows that any of them opens. */
export const Root = () => {
  const support = useSupportWindow()
  const change = useChangeWindow()
  const isAsked = useIsSignInRequested()
  const isSigningOut = useSignOutConfirmation()
  return (
    <>
      <Outlet />
      {support ? (
        <Suspense>
          <SupportRequestModal onClose={closeSupportWindow} />
        </Suspense>
      ) : null}
      {change ? (
        <Suspense>
          <ChangeRequestModal about={change} onClose={closeChangeWindow} />
        </Suspense>
      ) : null}
      {isSigningOut ? (
        <Suspense>
          <SignOutDialog />
        </Suspense>
      ) : null}
      {isAsked ? (
        <Suspense>
          <SignInAgain onLeave={() => resolveSignIn(false)} />
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
        <p role="alert">{errorMessage(session.error)}</p>
        <EmptyStateActions>
          <Button onClick={() => void router.invalidate()}>Retry</Button>
        </EmptyStateActions>
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
