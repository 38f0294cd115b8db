/** A part of the runner, in Python: the user, the groups and the root folder that a process takes. */
export const IDENTITY_SOURCE: string = `
class BadIdentity(Exception):
    pass

def identity_of(group):
    """The user, the group and the further groups of a process, and its home folder; None to stay what the runner is."""
    import pwd
    wanted = group['identity']
    if wanted['user'] is None:
        # Without User, the workers of the server have the identity of the runner, too.
        return None
    uid = id_of('user', wanted['user'])
    try:
        entry = pwd.getpwuid(uid)
    except KeyError:
        entry = None
    if os.geteuid() != 0:
        if uid != os.geteuid():
            raise BadIdentity("process group '%s' has user %s: start the server as root, or remove the option"
                              % (group['name'], wanted['user']))
        return None
    gid = id_of('group', wanted['group']) if wanted['group'] is not None else entry.pw_gid if entry else uid
    names = wanted['supplementary-groups']
    if names is not None:
        others = [id_of('group', name) for name in names]
    else:
        others = os.getgrouplist(entry.pw_name, gid) if entry else [gid]
    return uid, gid, others, entry.pw_dir if entry else None

def take_identity(group):
    # The names are looked up before: another root folder may have other ones, or none.
    identity = identity_of(group)
    if group['chroot'] is not None:
        os.chroot(group['chroot'])
        os.chdir('/')
    if identity is None:
        return
    uid, gid, others, folder = identity
    os.setgroups(others)
    os.setgid(gid)
    os.setuid(uid)
    if uid != 0:
        try:
            os.setuid(0)
        except OSError:
            pass
        else:
            raise PermissionError('the privileges of root could not be given up')
    if folder is not None and group['home'] is None and group['name'] != '':
        try:
            os.chdir(folder)
        except OSError:
            pass

def owner_of(config):
    if os.geteuid() != 0 or config['user'] is None:
        return None, None
    return id_of('user', config['user']), -1 if config['group'] is None else id_of('group', config['group'])

def id_of(kind, name):
    import grp, pwd
    try:
        if name.startswith('#'):
            return int(name[1:])
        return pwd.getpwnam(name).pw_uid if kind == 'user' else grp.getgrnam(name).gr_gid
    except (KeyError, ValueError):
        raise BadIdentity('%s: bad %s name %s' % ('AH00543' if kind == 'user' else 'AH00544', kind, name)) from None
`
