#!/usr/bin/env bash
# What is handed out, summed, signed and tagged: tests/tools/publish.sh KEY FOLDER
# KEY is a key of OpenSSH, or a public one whose private part an agent holds. FOLDER holds the files of the release and nothing else, each
# under the name by which it is handed out. It gets SHA256SUMS and SHA256SUMS.sig, and the checkout the tag vVERSION, signed by the same
# key, with the hash of SHA256SUMS in it. Nothing is pushed. Without a reason to refuse, and only then, all three are made.
set -euo pipefail
refuse() { echo "tests/tools/publish.sh: $*; nothing was written" >&2; exit 2; }

[ $# = 2 ] || refuse "found $# arguments, wanted KEY and FOLDER"
key=$(realpath "$1")
folder=$(realpath "$2")
cd "$(dirname "$0")/../.."

[ -f "$key" ] || refuse "$key: found no key there"
[ -d "$folder" ] || refuse "$folder: found no folder there"
[ -z "$(git status --porcelain)" ] || refuse "found a checkout that is changed or has new files, wanted a clean one"
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
heading=$(grep -m 1 '^## ' CHANGELOG.md)
today=$(date -u +%F)
[ "$heading" = "## $version, $today" ] || refuse "CHANGELOG.md: found \"$heading\" first, wanted \"## $version, $today\""
cited=$(sed -n 's/^version: //p' CITATION.cff)
[ "$cited" = "$version" ] || refuse "CITATION.cff: found version $cited, wanted $version"
tag=v$version
! git rev-parse --quiet --verify "refs/tags/$tag" >/dev/null || refuse "found a tag $tag, wanted none"
commit=$(git rev-parse HEAD)

mapfile -t files < <(cd "$folder" && find . -mindepth 1 ! -name SHA256SUMS ! -name SHA256SUMS.sig -printf '%P\n' | LC_ALL=C sort)
[ ${#files[@]} -gt 0 ] || refuse "$folder: found no file to hand out"
programs=0
for file in "${files[@]}"; do
    [ -f "$folder/$file" ] && [ ! -L "$folder/$file" ] || refuse "$folder/$file: found no regular file, wanted files alone"
    [[ $file =~ ^[A-Za-z0-9._+-]+$ ]] || refuse "$folder/$file: found other characters than letters, digits and ._+- in its name"
    # An executable says which commit it is of; what is packed was made of one.
    case "$(head -c 4 "$folder/$file" | od -An -tx1 | tr -d ' \n')" in
        7f454c46 | 4d5a*)
            programs=$((programs + 1))
            grep -q -a "$commit" "$folder/$file" || refuse "$folder/$file: found no word of commit $commit in it, wanted the executable of this one" ;;
    esac
done
[ "$programs" -gt 0 ] || refuse "$folder: found no executable, wanted one at least"

sums=$folder/SHA256SUMS
(cd "$folder" && sha256sum -- "${files[@]}") > "$sums"
rm -f "$sums.sig"
trap '[ "${done:-}" = 1 ] || rm -f "$sums" "$sums.sig"' EXIT
ssh-keygen -q -Y sign -n deckproof-release -f "$key" "$sums"
git -c gpg.format=ssh -c user.signingkey="$key" tag --sign "$tag" -m "deckproof $version" -m "SHA256SUMS $(sha256sum "$sums" | cut -d ' ' -f 1)"
done=1
echo "files    ${#files[@]}, of them $programs executables of commit $commit"
echo "sums     $sums"
echo "signed   $(ssh-keygen -lf "$key")"
echo "tag      $tag, here alone: git push origin $tag"
