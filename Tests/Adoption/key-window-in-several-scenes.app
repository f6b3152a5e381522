# The key window of an app with several windows
expect AD014
--- Toast.swift
func show() { UIApplication.shared.keyWindow?.addSubview(toast) }
--- Info.plist
SEVERAL SceneDelegate
