"""``python -m citewell`` is the command line."""

from citewell.cli.app import main

if __name__ == "__main__":
    main()
